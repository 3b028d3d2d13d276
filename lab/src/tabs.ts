// The views of the page as tabs; the arrow keys, Home and End go from one to the next.

export class Tabs {
    private readonly tabs = [...document.querySelectorAll<HTMLButtonElement>("[role=tab]")];

    constructor(private readonly chosen: (view: string) => void) {
        this.tabs.forEach((tab, i) => {
            tab.addEventListener("click", () => this.choose(tab));
            tab.addEventListener("keydown", (event) => {
                const last = this.tabs.length - 1;
                const to = { ArrowLeft: i === 0 ? last : i - 1, ArrowRight: i === last ? 0 : i + 1, Home: 0, End: last }[event.key];
                if (to === undefined) return;
                event.preventDefault();
                this.tabs[to]!.focus();
                this.choose(this.tabs[to]!);
            });
        });
    }

    show(view: string): void {
        for (const tab of this.tabs) {
            const own = tab.dataset["view"] === view;
            tab.setAttribute("aria-selected", String(own));
            tab.tabIndex = own ? 0 : -1;
            document.getElementById(tab.getAttribute("aria-controls")!)!.hidden = !own;
            if (own) document.title = `Stoss: ${tab.textContent!.toLowerCase()}`;
        }
    }

    private choose(tab: HTMLButtonElement): void {
        this.show(tab.dataset["view"]!);
        this.chosen(tab.dataset["view"]!);
    }
}
