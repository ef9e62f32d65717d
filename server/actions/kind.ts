// Kinds of blocks: which data a block of a type carries, and how that is shown. Rules that look at blocks of other
// rules read the data through the kind, `JETTON_TRANSFER.of(block)`.

import type { Block, Content, Description } from './block.ts'

export interface KindOptions<T> {
  /** The internal type, which the id of an action is made from. */
  readonly type: string
  /** The type that is shown, where that is another one. */
  readonly shownAs?: string
  /** Whether its parts are no actions of their own. Those of the first version always are so. */
  readonly isFlat?: boolean
  readonly describe: (data: T, block: Block) => Description
}

export class Kind<T> {
  readonly type: string
  readonly #options: KindOptions<T>
  readonly #data = new WeakMap<Content, T>()

  constructor(options: KindOptions<T>) {
    this.type = options.type
    this.#options = options
  }

  /** What a block of this kind says. */
  content(data: T): Content {
    const { type, shownAs = type, isFlat = false, describe } = this.#options
    const content: Content = { type, shownAs, isFlat, describe: (block) => describe(data, block) }
    this.#data.set(content, data)
    return content
  }

  /** What it says of a block; undefined for blocks of other kinds. */
  of(block: Block | null | undefined): T | undefined {
    // Called on every block by many rules: the name is compared first.
    return block && block.content.type === this.type ? this.#data.get(block.content) : undefined
  }

  is(block: Block | null | undefined): boolean {
    return block?.type === this.type
  }
}
