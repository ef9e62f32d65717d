// One call of a page: its method with parameters. The service makes those of the first view while it writes the page, and
// the page finds the results by their key.

import type { Api } from '../registry.ts'

export interface Query<M extends keyof Api = keyof Api> {
  readonly method: M
  readonly params: Api[M]['params']
}

export const query = <M extends keyof Api>(method: M, params: Api[M]['params']): Query<M> => ({ method, params })

/** The same text for the same query. */
export const queryKey = ({ method, params }: Query): string => `${method} ${JSON.stringify(params)}`

/** The parameter for the page after another one; none for the first page. */
export const afterCursor = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })
