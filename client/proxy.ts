// Turns `client.v3.jetton.wallets(params)` into a call by name. There is no code per method: every path is a function, and
// the types say which of them exist. Looking at a path never calls anything.

import type { CallOptions, PageOptions } from './tree.ts'

type Params = Readonly<Record<string, unknown>> | undefined

/** Key of the method a client function calls; the same for two copies of this file. */
export const METHOD: unique symbol = Symbol.for('tonrpc.method')

export interface MethodInfo {
  readonly name: string
  /** Of the service, without its query; empty for a transport of the caller's own. */
  readonly address: string
}

export interface Door {
  readonly address: string
  call(method: string, params: Params, options: CallOptions | undefined): unknown
  each(method: string, params: Params, options: PageOptions | undefined): unknown
  pages(method: string, params: Params, options: PageOptions | undefined): unknown
}

/** Names other code reads of any value (promises, JSON, matchers, inspectors): never parts of a method's name. */
const PROBED = new Set(
  'then catch finally toJSON inspect asymmetricMatch nodeType tagName prototype arguments caller $$typeof'.split(' '),
)

/** What the client's object is made of: of a plain object stores such as MobX would make a copy, without methods. */
class ClientRoot {}

/**
 * The client's object: properties are namespaces and methods, `each` and `pages` below a method are its iterators. No
 * part of a method's name can be one of those above, begin with `__`, or be what every function has (`name`, `length`,
 * `call` ...). `own` are further members of the client.
 */
export function createProxy(door: Door, own: object = {}): object {
  const node = (path: string, target: object): object => {
    const children = new Map<string, object>()
    return new Proxy(Object.freeze(target), {
      get: (self, key) => {
        if (typeof key === 'string' && PROBED.has(key)) return undefined
        // What every function has, such as `bind`, is its own.
        if (typeof key === 'symbol' || key in self) return Reflect.get(self, key)
        // Marks of frameworks: Vue follows `__v_raw` for as long as there is one.
        if (key.startsWith('__')) return undefined
        let child = children.get(key)
        if (!child) {
          child = method(path, key)
          children.set(key, child)
        }
        return child
      },
    })
  }

  const method = (path: string, name: string): object => {
    const full = path ? `${path}.${name}` : name
    const call = (params?: Params, options?: CallOptions) =>
      path && (name === 'each' || name === 'pages')
        ? door[name](path, params, options)
        : door.call(full, params, options)
    const info: MethodInfo = { name: full, address: door.address }
    // Not enumerable: a copy or a print of a function shows nothing of it.
    return node(full, Object.defineProperty(call, METHOD, { value: info }))
  }

  return node('', Object.assign(new ClientRoot(), own))
}
