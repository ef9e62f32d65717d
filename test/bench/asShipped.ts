// Benchmarks measure the program as it is shipped: what they import of it is what the build made of it. Read from its
// sources on the fly it would be another one, in which every inner function is given its name each time it is made.

import { register } from 'node:module'

/** Runs in a thread of its own, before which there is no one to read TypeScript. */
const HOOKS = `
let root
export function initialize(data) { root = data }
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  const path = found.url.startsWith(root) ? found.url.slice(root.length) : ''
  if (!/^(client|server|shared)[/].*[.]ts$/.test(path)) return found
  return { url: root + '.build/' + path.replace(/ts$/, 'js'), format: 'module', shortCircuit: true }
}`

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: new URL('../../', import.meta.url).href })
