// Copies of every protocol by a liar: the same messages with the same claims between strangers' contracts, where next to
// nothing moves. No action may show an amount that was only claimed.

import { describe, expect, test } from 'vitest'
import { type AccountsFacts, type ClassifiedAction, classifyTrace } from '../../../server/actions/index.ts'
import { jvault, tgbtc } from '../../../server/bodies/index.ts'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import { wellKnownAccounts } from '../../../server/interfaces/index.ts'
import { bodyOf, withAmount, withBody } from './made/bodies.ts'
import { renamed } from './made/changes.ts'
import { allBases } from './made/stored.ts'
import { fileOf, type Json, type MadeTrace, mapHops } from './made/tree.ts'
import { account, actionsOf, call, known, op } from './madeFlows.ts'
import { expectShapes } from './shapes.ts'
import { readTraceFixture } from './traceFixtures.ts'

/** Of TON, with each message. */
const DUST = 1000

/** Numbers that do not say what moved, and what they say: by the type of an action and the path in its details. */
const SAYS_SOMETHING_ELSE: readonly (readonly [RegExp, string])[] = [
  [/ (query_id|order_seqno|timestamp|\w+\.(send_request_id|nonce|guid))$/, 'a number of a request'],
  [/ (nft_item_index|nft_index|burnt_nft_index|minted_item_index)$/, 'the number of an item'],
  [/ (forward_amount|ton_amount)$/, 'requested for the way'],
  [/ (target_amount_[12]|min_out_amount)$/, 'what was wanted'],
  [/^tonco_deploy_pool |^dex_\w+ tick_(lower|upper)$/, 'a setting of a pool'],
  [
    /^(dex_deposit_liquidity lp_tokens_minted|dex_withdraw_liquidity lp_tokens_burnt)$/,
    'places in a pool, which is no token',
  ],
  [/^coffee_staking_withdraw points$|^jvault_stake minted_stake_jettons$/, 'a weight of a stake'],
  [/^stake_withdrawal tokens_burnt$/, "a bill in the pool's own token"],
  [/^jvault_unstake_request amount$/, 'a stake that stays where it is for now'],
  [/^cocoon_\w+ (new_tokens_used|new_tokens|worker_tokens)$/, 'work that was done'],
  [/^cocoon_client_increase_stake (amount|new_stake)$/, 'the level a stake is to have'],
  [/^coffee_create_pool amount_2$/, 'brought in an earlier trace, and kept by the creator'],
  [/^stake_withdrawal_request tokens_minted$/, "Ethena's own master, which is known by its address"],
]

/** Here the teleports of tgBTC are themselves, and what they log is theirs to say. */
const FROM_A_KNOWN_LOG = /: tgbtc_(mint_fallback|burn_fallback|new_key) amount: /

const saysWhatMoved = (where: string): boolean => !SAYS_SOMETHING_ELSE.some(([pattern]) => pattern.test(where))

/** Accounts every rule knows by name; masters of jettons stay who they are. */
const KNOWN: readonly string[] = [
  wellKnownAccounts.elector,
  wellKnownAccounts.tonDomains,
  wellKnownAccounts.telegramUsernames,
  wellKnownAccounts.telegramNumbers,
  wellKnownAccounts.getgemsSales,
  wellKnownAccounts.marketapp,
  wellKnownAccounts.tgbtcTeleport,
  wellKnownAccounts.tgbtcTeleportV3,
  wellKnownAccounts.tgbtcTeleportV2,
  wellKnownAccounts.tgbtcTeleportV1,
].map(({ id }) => id)

type Interfaces = MadeTrace['interfaces']

/** Jettons and items are checked with their masters and collections: another contract cannot have them. */
const bare = (interfaces: Interfaces): Interfaces =>
  Object.fromEntries(
    Object.entries(interfaces).map(([address, known]) => [
      address,
      Object.fromEntries(Object.entries(known).filter(([name]) => name === 'JettonWallet' || name === 'NftItem')),
    ]),
  )

const amongStrangers = (made: MadeTrace): MadeTrace =>
  KNOWN.filter((id) => id in made.interfaces || JSON.stringify(made.root.message).includes(id)).reduce(
    (tree, id, at) => renamed(tree, id, `0:${String(at + 1).padStart(64, 'BAD')}`),
    made,
  )

/** One unit of any jetton and next to no TON; all other bodies say what they said. */
function withDust(made: MadeTrace): MadeTrace {
  const root = mapHops(made.root, (hop) => {
    const body = withAmount(bodyOf(hop), 1n)
    const message: Json = body === null ? hop.message : withBody(hop.message, body)
    const isInside = message.source !== null && message.destination !== null
    return { ...hop, message: isInside ? { ...message, value: DUST } : message }
  })
  return { ...made, root }
}

/** Amounts of an action, each with its place. */
function* numbersIn(value: unknown, path: string): Generator<readonly [string, bigint]> {
  if (typeof value === 'string' && /^\d+$/.test(value)) yield [path, BigInt(value)]
  if (typeof value === 'number' && path.endsWith('_fee')) yield [path, BigInt(value)]
  if (value === null || typeof value !== 'object') return
  for (const [key, one] of Object.entries(value))
    yield* numbersIn(one, Array.isArray(value) ? path : path === '' ? key : `${path}.${key}`)
}

/** Everything that could have moved in an action is less. */
const mostOf = ({ transactions }: ClassifiedAction): bigint => BigInt(DUST * Math.max(1, transactions.length))

function liesIn(made: MadeTrace): string[] {
  const { trace, facts } = traceOfFile(fileOf(made))
  const { actions, failure } = classifyTrace(trace, facts)
  expect(failure).toBeNull()
  expectShapes(actions)
  // Of what failed, the amounts are those that were to be moved.
  return actions
    .filter(({ success }) => success)
    .flatMap((action) =>
      [...numbersIn(action.details, '')]
        .map(([path, amount]) => ({ where: `${action.type} ${path}`, amount }))
        .filter(({ where, amount }) => amount > mostOf(action) && saysWhatMoved(where))
        .map(({ where, amount }) => `${where}: ${amount}`),
    )
}

const bases = allBases()

describe("a liar's copy of each protocol", () => {
  test('between unknown contracts', () => {
    expect(bases.length).toBeGreaterThan(150)
    const lies = bases.flatMap(({ name, tree }) =>
      liesIn(withDust(amongStrangers({ ...tree, interfaces: bare(tree.interfaces) }))).map((lie) => `${name}: ${lie}`),
    )
    expect(lies).toEqual([])
  })

  test('between contracts that answer get-methods as the real ones do', () => {
    const lies = bases.flatMap(({ name, tree }) => liesIn(withDust(tree)).map((lie) => `${name}: ${lie}`))
    expect(lies.filter((lie) => !FROM_A_KNOWN_LOG.test(lie))).toEqual([])
  })

  test('Ethena is known by its master, not by its messages', () => {
    const { id } = wellKnownAccounts.stakedUsde
    const ethena = bases.filter(({ name }) => name.startsWith('ethena'))
    const typesIn = (made: MadeTrace): string[] => {
      const { trace, facts } = traceOfFile(fileOf(made))
      return classifyTrace(trace, facts).actions.map(({ type }) => type)
    }
    expect(ethena.flatMap(({ tree }) => typesIn(tree)).filter((type) => type.startsWith('stake')).length).toBe(2)
    const strange = ethena.flatMap(({ tree }) => typesIn(renamed(tree, id, `0:${'BAD0'.padStart(64, '0')}`)))
    expect(strange.filter((type) => type.startsWith('stake'))).toEqual([])
  })

  test('a stake given back in TON by a stranger is what was paid', () => {
    const owner = account('A')
    const wallet = account('B')
    const pool = account('C')
    const claim = 10n ** 30n
    const body = call(jvault.unstake.opcode).storeCoins(claim).end()
    const unstaked = (paid: bigint) => {
      const payment = { from: pool, to: owner, value: paid }
      const update = { from: wallet, to: pool, body: op(jvault.updateRequest.opcode).end(), leads: [payment] }
      return actionsOf({ from: owner, to: wallet, body, leads: [update] })[0]
    }
    expect(unstaked(1n)).toMatchObject({ type: 'jvault_unstake', success: true, details: { amount: '1', asset: null } })
    expect(unstaked((9n * claim) / 10n)?.details).toMatchObject({ amount: String((9n * claim) / 10n) })
  })

  test('a log is what left the chain: the same words to an account are a call', () => {
    const logs = [tgbtc.mintLog, tgbtc.burnLog, tgbtc.newKeyLog, tgbtc.dkgLog]
    const actionsOfCall = (opcode: number) =>
      actionsOf({
        from: account('A'),
        to: account('B'),
        body: op(opcode).storeCoins(5n).storeBytes(new Uint8Array(70)).end(),
      })
    for (const { opcode } of logs) expect(actionsOfCall(opcode).map(({ type }) => type)).toEqual(['call_contract'])
  })

  test('what a pool keeps of a stake is shown of the pools of JVault, and of others what they paid', () => {
    const { trace, facts } = readTraceFixture('jvault-07')
    const pool = '0:AA5C2D9CB469BECB874312C79ABC9DA6C2E64C92C108FE31A2F26B00D8134CD7'
    const amountIn = (all: AccountsFacts) =>
      classifyTrace(trace, all).actions.find(({ type }) => type === 'jvault_unstake')?.details.amount
    const nftItem = { index: 1n, collection: account('A'), owner: null, content: null }
    const ofAnother = new Map(facts).set(pool, known({ nftItem }))
    expect([amountIn(facts), amountIn(ofAnother)]).toEqual(['300731712275', '270658541048'])
  })

  test('the same messages show their amounts where these moved', () => {
    const shown = new Set<string>()
    for (const { tree } of bases) {
      const { trace, facts } = traceOfFile(fileOf(tree))
      for (const action of classifyTrace(trace, facts).actions)
        if (action.success)
          for (const [path, amount] of numbersIn(action.details, ''))
            if (amount > mostOf(action)) shown.add(`${action.type} ${path}`)
    }
    // Otherwise a rule that shows nothing would pass.
    expect([...shown].filter(saysWhatMoved).length).toBeGreaterThan(40)
  })
})
