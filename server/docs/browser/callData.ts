// What a page passes to its script for each method, in `data-method` of its section. Types only.

export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'json' | 'any'

export interface CallField {
  readonly name: string
  readonly kind: FieldKind
  /** Of each line, for a list. */
  readonly item?: 'text' | 'number' | 'any'
  readonly required: boolean
  readonly options?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly maxLength?: number
  readonly hint?: string
  /** What happens when it is left empty. */
  readonly placeholder?: string
  /** What it holds when the form opens. */
  readonly initial?: string
}

/** One way to send the call: params go into the query, make up the body, or are in a JSON-RPC request. */
export interface CallDoor {
  readonly title: string
  readonly path: string
  readonly carries: 'query' | 'body' | 'rpc'
}

export interface CallData {
  readonly name: string
  readonly doors: readonly CallDoor[]
  /** Shown before sending: which effect cannot be undone. */
  readonly warning?: string
  readonly fields: readonly CallField[]
}
