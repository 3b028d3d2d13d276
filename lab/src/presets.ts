// Where the page begins: collisions worth looking at.

import type { Mapping } from "./tree";

export interface Preset {
    name: string;
    meaning: string;
    xi: number;
    case: Mapping;
}

const aluminium = { youngs_modulus: "68.3 GPa", poisson_ratio: "0.34", density: "2710 kg/m^3" };

export const presets: Preset[] = [
    {
        name: "Published beam",
        meaning: "A pinned aluminium rod turns into a fixed cylinder.",
        xi: 0.6,
        case: {
            beam: {
                length: "508 mm",
                section: { shape: "circle", radius: "6.35 mm" },
                material: aluminium,
                supports: [{ type: "pin", xi: "0.0375" }],
            },
            striker: {
                shape: "cylinder",
                radius: "6.35 mm",
                material: { youngs_modulus: "68.3 GPa", poisson_ratio: "0.34" },
                mass: "inf",
            },
            motion: { angular_velocity: "-6 rad/s" },
            contact: { law: "hertz" },
            mesh: { elements: "80", modes: "25" },
        },
    },
    {
        name: "Steel strip and ball",
        meaning: "A steel ball falls 300 mm on a clamped steel strip.",
        xi: 0.5,
        case: {
            beam: {
                length: "300 mm",
                section: { shape: "rectangle", width: "25 mm", height: "3 mm" },
                material: "steel",
                supports: [{ type: "clamp", xi: "0" }],
            },
            striker: { shape: "sphere", radius: "10 mm", material: "steel" },
            motion: { drop_height: "300 mm" },
            contact: { law: "hertz" },
            mesh: { elements: "240", modes: "60" },
        },
    },
    {
        name: "Wooden bat",
        meaning: "A ball of 145 g hits a free tapered bat of ash.",
        xi: 0.8,
        case: {
            beam: {
                length: "840 mm",
                section: {
                    shape: "profile",
                    stations: [
                        { xi: "0", shape: "circle", radius: "12 mm" },
                        { xi: "0.4", shape: "circle", radius: "14 mm" },
                        { xi: "0.7", shape: "circle", radius: "30 mm" },
                        { xi: "1", shape: "circle", radius: "32 mm" },
                    ],
                },
                material: "ash",
                supports: [],
            },
            striker: {
                shape: "sphere",
                radius: "37 mm",
                material: { youngs_modulus: "20 MPa", poisson_ratio: "0.4" },
                mass: "145 g",
            },
            motion: { approach_speed: "30 m/s" },
            contact: { law: "hertz" },
            mesh: { elements: "60", modes: "20" },
        },
    },
    {
        name: "Xylophone bar",
        meaning: "A hard mallet strikes an aluminium bar on two soft cords.",
        xi: 0.5,
        case: {
            beam: {
                length: "250 mm",
                section: { shape: "rectangle", width: "32 mm", height: "10 mm" },
                material: "aluminium",
                supports: [],
                springs: [
                    { xi: "0.224", translation: "2 kN/m" },
                    { xi: "0.776", translation: "2 kN/m" },
                ],
            },
            striker: {
                shape: "sphere",
                radius: "12 mm",
                material: { youngs_modulus: "3 GPa", poisson_ratio: "0.38" },
                mass: "25 g",
            },
            motion: { approach_speed: "1 m/s" },
            contact: { law: "hertz" },
            mesh: { elements: "60", modes: "25" },
        },
    },
    {
        name: "Dropped bar",
        meaning: "A free steel bar falls level on a fixed steel ball.",
        xi: 0.25,
        case: {
            beam: {
                length: "500 mm",
                section: { shape: "circle", radius: "8 mm" },
                material: "steel",
                supports: [],
            },
            striker: { shape: "sphere", radius: "10 mm", material: "steel", mass: "inf" },
            motion: { drop_height: "200 mm" },
            contact: { law: "hertz" },
            mesh: { elements: "60", modes: "30" },
        },
    },
];
