// Kinds of blocks: which data a block of a type carries, and how that is shown. Rules that look at blocks of other
// rules read the data through the kind, `JETTON_TRANSFER.of(block)`.

import type { ActionBlock, Content, Description } from './actionBlock.ts'

export interface KindOptions<T> {
  /** The internal type, which the id of an action is made from. */
  readonly type: string
  /** The type that is shown, where that is another one. */
  readonly shownAs?: string
  /** Whether its parts are no actions of their own. Those of the first version always are so. */
  readonly isFlat?: boolean
  readonly describe: (data: T, block: ActionBlock) => Description
}

/** A class, not a map from contents to data: a weak one costs more than the rest of a plain block. */
class KindContent<T> implements Content {
  readonly type: string
  readonly shownAs: string
  readonly isFlat: boolean
  readonly kind: Kind<T>
  readonly data: T

  constructor(kind: Kind<T>, { type, shownAs = type, isFlat = false }: KindOptions<T>, data: T) {
    this.type = type
    this.shownAs = shownAs
    this.isFlat = isFlat
    this.kind = kind
    this.data = data
  }

  describe(block: ActionBlock): Description {
    return this.kind.describe(this.data, block)
  }
}

const isOf = <T>(content: Content, kind: Kind<T>): content is KindContent<T> =>
  content instanceof KindContent && content.kind === kind

export class Kind<T> {
  readonly type: string
  readonly #options: KindOptions<T>

  constructor(options: KindOptions<T>) {
    this.type = options.type
    this.#options = options
  }

  /** What a block of this kind says. */
  content(data: T): Content {
    return new KindContent(this, this.#options, data)
  }

  /** What it says of a block; undefined for blocks of other kinds. */
  of(block: ActionBlock | null | undefined): T | undefined {
    return block && isOf(block.content, this) ? block.content.data : undefined
  }

  is(block: ActionBlock | null | undefined): boolean {
    return block?.type === this.type
  }

  describe(data: T, block: ActionBlock): Description {
    return this.#options.describe(data, block)
  }
}
