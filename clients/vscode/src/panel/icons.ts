/** The panel's own marks, drawn on a grid of sixteen; they take the colour of the text around them. */

import { svg, type SVGTemplateResult } from "lit-html";

const PATHS = {
  check: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 14 14",
  question: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 13v.2",
  box: "M3.5 3.5h9v9h-9z",
  bang: "M8 3v6M8 12.5v.2",
  terminal: "M3 4.5 6.5 8 3 11.5M8 12h5",
  copy: "M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3",
  eye: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Z",
  undo: "M6 3 3 6l3 3M3 6h6a4 4 0 0 1 0 8H6",
  arrow: "M3 8h10M9.5 4.5 13 8l-3.5 3.5",
  wide: "M2.5 3.5h11v9h-11zM6 3.5v9",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGTemplateResult {
  return svg`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d=${PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round"></path>
  </svg>`;
}
