// JSON in colours: an element for each key and value, made when the text is looked at.

import { all, element } from './dom.ts'

/** Changes nothing but colours. */
export function coloured(text: string): Node[] {
  const nodes: Node[] = []
  let from = 0
  for (const match of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g)) {
    const [token, string, colon] = match
    const kind = string === undefined ? 'j-value' : colon === undefined ? 'j-text' : 'j-key'
    nodes.push(new Text(text.slice(from, match.index)), element('span', { class: kind }, string ?? token))
    if (colon) nodes.push(new Text(colon))
    from = match.index + token.length
  }
  nodes.push(new Text(text.slice(from)))
  return nodes
}

/** Colours the example results of a page as they come near the window: of all at once there are ten thousand elements. */
export function colourExamples(): void {
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue
        seen.unobserve(target)
        target.replaceChildren(...coloured(target.textContent ?? ''))
      }
    },
    { rootMargin: '50%' },
  )
  for (const code of all('article.method pre.data > code')) seen.observe(code)
}
