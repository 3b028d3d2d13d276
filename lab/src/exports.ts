// What a view gives away: address, case, table, figure.

import { byId, html } from "./dom";
import { pngOf, svgText } from "./figure";
import { csvOf, save, toClipboard, type Cells } from "./files";
import type { Page } from "./page";

export interface Source {
    name: string; // of the files
    request(): object; // asks the engine for the text of the case
    table(): Cells | undefined; // none: nothing to give yet
    figure(): SVGSVGElement | undefined;
}

/** The buttons of a view; their ids begin with `prefix`. */
export function exportBar(page: Page, prefix: string, source: Source): void {
    const button = (id: string, title: string, label: string, act: () => void) =>
        html("button", { type: "button", id: prefix + id, title, click: act }, label);
    const share = async () => {
        page.address();
        const where = (await toClipboard(location.href)) ? "it is in the clipboard" : "copy it from the bar of the browser";
        page.notice(`The address of this page holds the input of all views, without frozen curves and measured points; ${where}.`);
    };
    const withCase = () => page.careful.ask(source.request(), (answer) => {
        if (answer["text"] === undefined) page.notice(`No case: ${answer.failure ?? "the engine refuses it"}`);
        else save(`${source.name}.yaml`, String(answer["text"]));
    });
    const withTable = () => {
        const table = source.table();
        if (table) save(`${source.name}.csv`, csvOf(table), "text/csv");
    };
    const withFigure = (give: (figure: SVGSVGElement) => void) => () => {
        const figure = source.figure();
        if (figure) give(figure);
    };
    byId(`${prefix}exports`).prepend(
        button("share", "Copy the address, which holds the input of all views", "Share", () => void share()),
        button("yaml", `A case for the command: stoss run ${source.name}.yaml`, "Case (YAML)", withCase),
        button("csv", "The numbers as a table", "Table (CSV)", withTable),
        button("svg", "The picture as a drawing", "Figure (SVG)", withFigure((figure) => save(`${source.name}.svg`, svgText(figure), "image/svg+xml"))),
        button("png", "The picture as an image", "Figure (PNG)", withFigure((figure) => void pngOf(figure).then((image) => save(`${source.name}.png`, image)))),
    );
}
