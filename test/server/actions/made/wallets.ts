// Requests to wallets of every version, ordering the messages that follow them in a trace.

import {
  type Builder,
  beginCell,
  buildDict,
  type Cell,
  dictKind,
  type Slice,
  storeDict,
  uintKey,
} from '../../../../server/cell/index.ts'

const SIGNATURE = Buffer.alloc(64, 7)
const SEND_MODE = 3
const signed = (): Builder => beginCell().storeBytes(SIGNATURE)

function withMessages(builder: Builder, messages: readonly Cell[]): Cell {
  for (const message of messages.slice(0, 4)) builder.storeUint(SEND_MODE, 8).storeRef(message)
  return builder.end()
}

/** The list of actions of version 5: each refers to the one before. */
function actionList(messages: readonly Cell[]): Cell {
  let list = beginCell().end()
  for (const message of messages)
    list = beginCell().storeRef(list).storeUint(0x0ec3c86d, 32).storeUint(SEND_MODE, 8).storeRef(message).end()
  return list
}

const v5 = (operation: number, messages: readonly Cell[]): Cell =>
  beginCell()
    .storeUint(operation, 32)
    .storeUint(2147483409, 32)
    .storeUint(1_700_000_060, 32)
    .storeUint(5, 32)
    .storeMaybeRef(actionList(messages))
    .storeBit(0)
    .storeBytes(SIGNATURE)
    .end()

const head = (builder: Builder): Builder =>
  builder.storeUint(698983191, 32).storeUint(1_700_000_060, 32).storeUint(5, 32)

const ORDERS = dictKind(uintKey(16), {
  load: (slice: Slice) => slice.skip(8).loadRef(),
  store: (builder: Builder, message: Cell) => void builder.storeUint(SEND_MODE, 8).storeRef(message),
})

function highloadV2(messages: readonly Cell[]): Cell {
  const builder = signed().storeUint(698983191, 32).storeUint(7n, 64)
  storeDict(
    builder,
    buildDict(
      ORDERS,
      messages.map((message, i) => [i, message] as const),
    ),
  )
  return builder.end()
}

export const WALLET_REQUESTS: Readonly<Record<string, (messages: readonly Cell[]) => Cell>> = {
  v1: (messages) => withMessages(signed().storeUint(5, 32), messages),
  v2: (messages) => withMessages(signed().storeUint(5, 32).storeUint(1_700_000_060, 32), messages),
  v3: (messages) => withMessages(head(signed()), messages),
  v4: (messages) => withMessages(head(signed()).storeUint(0, 8), messages),
  v5: (messages) => v5(0x7369676e, messages),
  v5internal: (messages) => v5(0x73696e74, messages),
  telegram: (messages) =>
    withMessages(
      signed().storeUint(0x63896e75, 32).storeUint(698983191, 32).storeUint(1_700_000_060, 32).storeUint(5, 32),
      messages,
    ),
  preprocessed: (messages) =>
    signed()
      .storeRef(beginCell().storeUint(1_700_000_060, 64).storeUint(5, 16).storeRef(actionList(messages)).end())
      .end(),
  highloadV2,
  highloadV3: (messages) =>
    signed()
      .storeRef(
        beginCell()
          .storeUint(698983191, 32)
          .storeRef(messages[0] ?? beginCell().end())
          .storeUint(SEND_MODE, 8)
          .storeUint(1, 13)
          .storeUint(1, 10)
          .storeUint(1_700_000_000, 64)
          .storeUint(3600, 22)
          .end(),
      )
      .end(),
}

/** What a highload wallet sends to itself. */
export const highloadBody = (messages: readonly Cell[]): Cell =>
  beginCell().storeUint(0xae42e5a4, 32).storeUint(7n, 64).storeRef(actionList(messages)).end()

/** What an extension sends to a wallet of version 5. */
export const extensionBody = (messages: readonly Cell[]): Cell =>
  beginCell().storeUint(0x6578746e, 32).storeUint(7n, 64).storeMaybeRef(actionList(messages)).storeBit(0).end()
