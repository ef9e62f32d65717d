// The types are the product: what is said here is checked by the compiler, the run time only counts it.

import { describe, expectTypeOf, test } from 'vitest'
import {
  type Action,
  type ActionDetails,
  type ActionKind,
  type Api,
  type CallOptions,
  type Client,
  createClient,
  type Row,
  type Transaction,
} from '../../client/index.ts'
import { type StreamNotification, stream } from '../../client/ws.ts'

interface Block {
  seqno: number
}
interface Page {
  blocks: Block[]
  address_book: Record<string, string>
}

interface Methods {
  'v3.byOffset': { params: { limit?: number; offset?: number; shard?: string }; result: Page }
  'v3.byCursor': {
    params: { account: string; limit?: number; cursor?: string }
    result: { rows: string[]; cursor: string }
  }
  'v3.bare': { params: { limit?: number; offset?: number }; result: Block[] }
  'v3.optionalRows': { params: { limit?: number; offset?: number }; result: { rows?: Block[] | null; total: number } }
  'v3.open': { params: { limit?: number; offset?: number }; result: { rows: Block[]; [other: string]: unknown } }
  'v3.noLimit': { params: { offset?: number }; result: Page }
  'v3.onlyLimit': { params: { limit?: number }; result: Page }
  'v3.twoLists': { params: { limit?: number; offset?: number }; result: { ins: Block[]; outs: string[] } }
  'v3.noList': { params: { limit?: number; offset?: number }; result: { total: number } }
  'v3.pools': { params: { limit?: number; offset?: number }; result: Page }
  'v3.pools.members': { params: { pool: string }; result: string[] }
  now: { params: Record<string, never>; result: number }
}

const client = createClient<Methods>({ transport: async () => [] })
/** Compiled, never run. */
const unused = (_compiled: () => unknown) => {}

const service: Client = createClient({ transport: async () => [] })

describe('this service', () => {
  test('params and results are those of the registry', () => {
    expectTypeOf(service.detectAddress).parameter(0).toEqualTypeOf<{ address: string }>()
    expectTypeOf(service.detectAddress).parameter(1).toEqualTypeOf<CallOptions | undefined>()
    expectTypeOf<Awaited<ReturnType<typeof service.detectAddress>>>().toEqualTypeOf<Api['detectAddress']['result']>()
    expectTypeOf<Awaited<ReturnType<typeof service.packAddress>>>().toEqualTypeOf<string>()
    expectTypeOf(service.rpc.discover).toBeCallableWith()
  })

  test('the type of what `createClient` returns, as programs name it, is that of this service', () => {
    expectTypeOf<ReturnType<typeof createClient>>().toEqualTypeOf<Client>()
  })

  test('mistakes do not compile', () => {
    // @ts-expect-error: address is required
    unused(() => service.detectAddress())
    // @ts-expect-error: address is required
    unused(() => service.detectAddress({}))
    // @ts-expect-error: no such param
    unused(() => service.detectAddress({ address: '', adress: '' }))
    // @ts-expect-error: wrong type
    unused(() => service.detectAddress({ address: 1 }))
    // @ts-expect-error: no such method
    unused(() => service.detectAdress({ address: '' }))
    // @ts-expect-error: no such method in this namespace
    unused(() => service.rpc.discovers())
    // @ts-expect-error: not a list
    unused(() => service.detectAddress.each({ address: '' }))
    // @ts-expect-error: no such option
    unused(() => service.detectAddress({ address: '' }, { timeout: 1 }))
    // @ts-expect-error: a namespace is not a method
    unused(() => service.rpc())
    // @ts-expect-error: a client is not a promise
    unused(() => service.then)
  })
})

describe('notifications of a stream', () => {
  test('the type decides the fields', () => {
    unused(() => async () => {
      for await (const one of stream({ url: '', types: ['actions'] })) {
        expectTypeOf(one.finality).toEqualTypeOf<'pending' | 'confirmed' | 'finalized' | undefined>()
        expectTypeOf(one.transactions).toBeUnknown()
        if (one.type === 'transactions') expectTypeOf(one.transactions).toEqualTypeOf<Transaction[]>()
        if (one.type === 'account_state_change') expectTypeOf(one.state.balance).toExtend<string | null>()
        if (one.type === 'jettons_change') BigInt(one.jetton.balance)
        if (one.type === 'progress') expectTypeOf(one.cursor).toEqualTypeOf<string>()
        if (one.type === 'blocks') expectTypeOf(one.block.seqno).toEqualTypeOf<number>()
        if (one.type === 'trace') expectTypeOf(one.transactions).toEqualTypeOf<Record<string, Transaction>>()
        if (one.type !== 'actions') continue
        for (const action of one.actions) if (action.type === 'jetton_transfer') BigInt(action.details.amount ?? 0)
      }
    })
  })

  test('only what can be subscribed to can be written as a type', () => {
    unused(() => stream({ url: '', types: ['blocks', 'trace', 'jettons_change', 'trace_invalidated'] }))
    // @ts-expect-error: no such type
    unused(() => stream({ url: '', types: ['transaction'] }))
    // @ts-expect-error: comes to all, whatever they subscribe to
    unused(() => stream({ url: '', types: ['chain_reverted'] }))
    // @ts-expect-error: an option of its own
    unused(() => stream({ url: '', types: ['progress'] }))
    // @ts-expect-error: any text
    unused((types: readonly string[]) => stream({ url: '', types }))
  })

  test('a type of a newer service is a text', () => {
    unused(() => (one: StreamNotification) => {
      const { type }: { type: string } = one
      if (type === 'a_type_of_next_year') return
      switch (one.type) {
        case 'chain_reverted':
          expectTypeOf(one.mc_seqno).toEqualTypeOf<number>()
          break
        default: {
          // @ts-expect-error: there may always be one more
          const none: never = one
          return none
        }
      }
    })
  })
})

describe('actions', () => {
  type ActionOf<T extends Action['type']> = Extract<Action, { type: T }>

  test('the type decides the details', () => {
    unused(() => async () => {
      const { actions } = await service.v3.actions({ sort: 'asc' })
      for (const action of actions) {
        if (action.type === 'jetton_transfer') BigInt(action.details.amount ?? 0)
        // @ts-expect-error: details of which type?
        action.details.amount
        // @ts-expect-error: a jetton has no such field
        if (action.type === 'jetton_transfer') action.details.nft_item
        switch (action.type) {
          case 'jetton_swap':
            expectTypeOf(action.details.dex_incoming_transfer.asset).toEqualTypeOf<string | null>()
            break
          case 'nft_transfer':
            expectTypeOf(action.details.is_purchase).toEqualTypeOf<boolean>()
            break
          default:
            expectTypeOf(action.type).toExtend<string>()
        }
      }
    })
    expectTypeOf<ActionOf<'ton_transfer'>['details']['comment']>().toEqualTypeOf<string | null>()
    expectTypeOf<ActionOf<'ton_transfer'>['start_lt']>().toExtend<string>()
  })

  test('a type of a newer service is a text with details of any kind', () => {
    unused(() => (action: Action) => {
      const { type }: { type: string } = action
      if (type === 'a_type_of_next_year') return
      switch (action.type) {
        case 'ton_transfer':
          expectTypeOf(action.details).toEqualTypeOf<ActionDetails['ton_transfer']>()
          break
        default: {
          // @ts-expect-error: there may always be one more
          const none: never = action
          return none
        }
      }
      // @ts-expect-error: no service has such a type, or ever had
      if (action.type === 'ton_tranfser') return
    })
    unused(() => (kind: Exclude<ActionKind, { type: keyof ActionDetails }>) => {
      expectTypeOf(kind.type).toExtend<string>()
      expectTypeOf(kind.details.anything).toEqualTypeOf<unknown>()
    })
    // @ts-expect-error: details of another type
    unused((): ActionKind => ({ type: 'nft_transfer', details: {} }))
  })

  test('words of results are literals', () => {
    type Wallet = NonNullable<Api['v3.walletStates']['result']['wallets'][number]['wallet_type']>
    expectTypeOf<Wallet>().toEqualTypeOf<Api['getWalletInformation']['result']['wallet_type'] & string>()
    expectTypeOf<'wallet v5 r1'>().toExtend<Wallet>()
    expectTypeOf<'v5r1'>().not.toExtend<Wallet>()
    unused(() => service.v3.runGetMethod({ address: '', method: 'seqno', stack: [{ type: 'num', value: '0x1' }] }))
    // @ts-expect-error: num, cell or slice
    unused(() => service.v3.runGetMethod({ address: '', method: 'seqno', stack: [{ type: 'int', value: '0x1' }] }))
  })

  test('words are literals', () => {
    unused(() => service.v3.transactions({ sort: 'desc' }))
    // @ts-expect-error: the server reads it, TypeScript has two words
    unused(() => service.v3.transactions({ sort: 'DESC' }))
    // @ts-expect-error: in, out or both
    unused(() => service.v3.jetton.transfers({ direction: 'up' }))
    // @ts-expect-error: in or out
    unused(() => service.v3.messages({ direction: 'both' }))
    // @ts-expect-error: all, won or bidding
    unused(() => service.v3.dns.activeAuctions({ bidder: '', state: 'lost' }))
  })
})

describe('names', () => {
  test('dots are nesting', () => {
    expectTypeOf(client).toHaveProperty('v3')
    expectTypeOf(client.now).toBeCallableWith()
    expectTypeOf<Awaited<ReturnType<typeof client.now>>>().toEqualTypeOf<number>()
  })

  test('a method may stand above others', () => {
    expectTypeOf<Awaited<ReturnType<typeof client.v3.pools>>>().toEqualTypeOf<Page>()
    expectTypeOf<Awaited<ReturnType<typeof client.v3.pools.members>>>().toEqualTypeOf<string[]>()
    expectTypeOf(client.v3.pools.each).toBeFunction()
  })
})

describe('lists', () => {
  test('default: limit and offset', () => {
    expectTypeOf(client.v3.byOffset.each()).toEqualTypeOf<AsyncGenerator<Block, void, undefined>>()
    expectTypeOf(client.v3.byOffset.pages({ shard: '' }, { max: 5 })).toEqualTypeOf<
      AsyncGenerator<Page, void, undefined>
    >()
  })

  test('limit and cursor; required params stay required', () => {
    unused(() => client.v3.byCursor.each({ account: '' }))
    expectTypeOf<ReturnType<typeof client.v3.byCursor.each>>().toEqualTypeOf<AsyncGenerator<string, void, undefined>>()
    // @ts-expect-error: account is required
    unused(() => client.v3.byCursor.each())
  })

  test('rows: the one array, wherever it is', () => {
    expectTypeOf<Row<Block[]>>().toEqualTypeOf<Block>()
    expectTypeOf<Row<Page>>().toEqualTypeOf<Block>()
    expectTypeOf<Row<{ rows: readonly Block[]; n: 1 }>>().toEqualTypeOf<Block>()
    expectTypeOf<Row<{ a: Block[]; b: string[] }>>().toEqualTypeOf<never>()
    expectTypeOf<Row<{ n: 1 }>>().toEqualTypeOf<never>()
    expectTypeOf<Row<string>>().toEqualTypeOf<never>()
    expectTypeOf<ReturnType<typeof client.v3.bare.each>>().toEqualTypeOf<AsyncGenerator<Block, void, undefined>>()
    expectTypeOf<ReturnType<typeof client.v3.open.each>>().toEqualTypeOf<AsyncGenerator<Block, void, undefined>>()
    expectTypeOf<ReturnType<typeof client.v3.optionalRows.each>>().toEqualTypeOf<
      AsyncGenerator<Block, void, undefined>
    >()
  })

  test('everything else is not a list', () => {
    expectTypeOf(client.v3.noLimit).not.toHaveProperty('each')
    expectTypeOf(client.v3.onlyLimit).not.toHaveProperty('each')
    expectTypeOf(client.v3.twoLists).not.toHaveProperty('pages')
    expectTypeOf(client.v3.noList).not.toHaveProperty('each')
    expectTypeOf(client.now).not.toHaveProperty('each')
  })
})

test('options: an address or a transport', () => {
  unused(() => createClient({ url: '', apiKey: undefined, batch: false, retry: { tries: 1 }, timeoutMs: 1 }))
  const none: undefined = undefined
  // Options of a program that has some of them only sometimes.
  unused(() =>
    createClient({ url: '', headers: none, fetch: none, batch: none, retry: none, timeoutMs: none, once: none }),
  )
  unused(() => createClient({ url: '', batch: { max: none } }))
  unused(() => stream({ url: '', types: ['blocks'], addresses: none, after: none, signal: none, min_finality: none }))
  // @ts-expect-error: a transport has its own key
  unused(() => createClient({ transport: async () => [], apiKey: '' }))
  // @ts-expect-error: streams are of an address
  unused(() => createClient({ transport: async () => [], stream }))
  // @ts-expect-error: a client without streams
  unused(() => createClient({ url: '' }).stream({ types: [] }))
  unused(() => createClient({ url: '', stream }).stream({ types: ['blocks'] }))
  unused(() => createClient({ url: '', stream }).v3.blocks())
  // @ts-expect-error: neither
  unused(() => createClient({ apiKey: '' }))
  // @ts-expect-error: a table has params and results
  unused(() => createClient<{ a: { params: object } }>({ url: '' }))
})
