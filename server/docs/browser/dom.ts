// Elements of a page. Foreign text only ever becomes text nodes.

/** Of the service, without a slash at its end: scripts lie in a folder below it, whatever prefix a proxy puts in front. */
export const ROOT = new URL('..', import.meta.url).href.slice(0, -1)

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number | boolean | undefined>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value))
  }
  made.append(...children)
  return made
}

export const all = <T extends HTMLElement>(selector: string): T[] => [...document.querySelectorAll<T>(selector)]

/** A sentence with its words between backticks as code. */
export const proseNodes = (text: string): (Node | string)[] =>
  text.split(/`([^`]+)`/).map((piece, index) => (index % 2 === 0 ? piece : element('code', {}, piece)))
