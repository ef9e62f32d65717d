// All methods in short, and where that list and the description of each are served.

export interface MethodList {
  readonly methods: readonly {
    readonly name: string
    readonly summary: string
    readonly group: string
    /** Names. */
    readonly params: readonly string[]
  }[]
}

export const METHOD_LIST_PATH = '/openrpc/methods.json'

/** Path of an OpenRPC document of one method. */
export const methodPath = (name: string): string => `/openrpc/method/${name}.json`
