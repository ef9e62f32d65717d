// Two jettons: one with on-chain content, which the faucet mints for any account, and one with off-chain content.

import {
  type AccountId,
  broughtRequest,
  commentBody,
  type Deployment,
  outgoingMessage,
  USUAL_MODE,
  type WellKnownAccount,
  walletOfKind,
} from '../../devchain/index.ts'
import {
  jettonBurnBody,
  jettonMasterInit,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletInit,
  type OrderPayload,
  offChainContent,
  onChainContent,
} from '../contracts/index.ts'
import {
  type Cast,
  roundName,
  type Scene,
  type ScriptPart,
  type ScriptSending,
  type ScriptStep,
  scriptCoins,
} from '../script.ts'
import { PART_TITLES } from './titles.ts'

const UNIT = 1_000_000_000n
const HOUR = 3600
/** TON for a new jetton wallet, and TON for the master that deploys it. */
const WALLET_VALUE = scriptCoins(0.1)
const MINT_VALUE = scriptCoins(0.2)

/** The jetton of the faucet. */
export const demoJetton = ({ faucet }: Pick<Cast, 'faucet'>, round = 0): Deployment =>
  jettonMasterInit({
    admin: faucet.address,
    content: onChainContent({
      name: roundName('Demo Jetton', round),
      symbol: roundName('DEMO', round),
      decimals: '9',
      description: 'A jetton to try things with. It is worth nothing.',
      image: 'https://demo.invalid/jetton.png',
    }),
  })

const linkedJetton = ({ cast, round }: Scene): Deployment =>
  jettonMasterInit({
    admin: cast.wallet(6).address,
    content: offChainContent(`https://demo.invalid/${roundName('linked', round)}.json`),
  })

export interface Minting {
  readonly to: AccountId
  /** In the smallest units. */
  readonly amount: bigint
  readonly queryId: bigint
  readonly responseTo: AccountId
  readonly note?: string
}

/** The message from the admin of a jetton that mints. */
export function minting(master: Deployment, { note, ...mint }: Minting): ScriptSending & { to: AccountId } {
  const forward = note === undefined ? {} : { forwardAmount: scriptCoins(0.01), forwardPayload: inline(note) }
  const body = jettonMintBody({ ...mint, ...forward, value: WALLET_VALUE })
  return { to: master.address, value: MINT_VALUE, body }
}

const inline = (note: string): OrderPayload => ({ form: 'inline', cell: commentBody(note) })
const referenced = (note: string): OrderPayload => ({ form: 'reference', cell: commentBody(note) })

interface Gift {
  readonly from: WellKnownAccount
  readonly to: WellKnownAccount
  readonly amount: bigint
  readonly queryId: bigint
  readonly payload?: OrderPayload
}

/** The message from the owner of a jetton wallet that transfers jettons. */
function giving(master: Deployment, { from, to, amount, queryId, payload }: Gift): ScriptSending {
  const forward = payload === undefined ? {} : { forwardAmount: scriptCoins(0.02), forwardPayload: payload }
  const body = jettonTransferBody({ queryId, amount, to: to.address, responseTo: from.address, ...forward })
  return { to: jettonWalletInit(master.address, from.address).address, value: scriptCoins(0.2), body }
}

/** A wallet with jettons and without TON for fees. */
const penniless = ({ cast, round }: Scene): WellKnownAccount =>
  walletOfKind(cast.wallet(8), 'v5r1', { globalId: cast.globalId, number: round + 1 })

/** A request signed by its owner; a relayer sends it, pays in TON, and receives some of the jettons. */
function broughtGift(scene: Scene, master: Deployment, by: WellKnownAccount): ScriptSending {
  const from = penniless(scene)
  const gifts = [
    giving(master, {
      from,
      to: scene.cast.wallet(10),
      amount: 15n * UNIT,
      queryId: 21n,
      payload: inline('Without a coin'),
    }),
    giving(master, { from, to: by, amount: 5n * UNIT, queryId: 22n }),
  ]
  const messages = gifts.map((gift) => ({ mode: USUAL_MODE, message: outgoingMessage(gift) }))
  const body = broughtRequest(from, { seqno: 0, validUntil: scene.start + HOUR, messages })
  return { to: from, value: scriptCoins(0.6), body }
}

function steps(scene: Scene): ScriptStep[] {
  const { faucet, wallet } = scene.cast
  const demo = demoJetton(scene.cast, scene.round)
  const linked = linkedJetton(scene)
  const issue = (number: number, amount: bigint, note?: string) =>
    minting(demo, {
      to: wallet(number).address,
      amount: amount * UNIT,
      queryId: BigInt(number),
      responseTo: faucet.address,
      ...(note === undefined ? {} : { note }),
    })
  const poor = minting(demo, {
    to: penniless(scene).address,
    amount: 20n * UNIT,
    queryId: 9n,
    responseTo: faucet.address,
  })
  const issueLinked = (number: number, amount: bigint) =>
    minting(linked, { to: wallet(number).address, amount, queryId: 1n, responseTo: wallet(6).address })
  const give = (from: number, to: number, more: Pick<Gift, 'amount' | 'queryId' | 'payload'>) =>
    giving(demo, { from: wallet(from), to: wallet(to), ...more, amount: more.amount * UNIT })
  const ofLinked = { queryId: 20n, amount: 25n }
  const burn = (number: number, amount: bigint) => ({
    to: jettonWalletInit(demo.address, wallet(number).address).address,
    value: scriptCoins(0.2),
    body: jettonBurnBody({ queryId: 30n, amount: amount * UNIT, responseTo: wallet(number).address }),
  })
  return [
    {
      acts: [
        { by: wallet(5), sends: [{ to: demo, value: scriptCoins(0.5), bounce: false }] },
        { by: wallet(6), sends: [{ to: linked, value: scriptCoins(0.5), bounce: false }] },
      ],
    },
    {
      acts: [
        { by: 'faucet', sends: [issue(1, 1000n), issue(2, 500n), issue(3, 250n), issue(8, 10_000n, 'Welcome'), poor] },
        { by: wallet(6), sends: [issueLinked(6, 1000n), issueLinked(7, 100n)] },
      ],
    },
    {
      acts: [
        { by: wallet(1), sends: [give(1, 4, { queryId: 10n, amount: 30n, payload: inline('For the tickets') })] },
        { by: wallet(2), sends: [give(2, 5, { queryId: 11n, amount: 5n, payload: referenced('Thank you!') })] },
        { by: wallet(8), sends: [1, 2, 3].map((to) => give(8, to, { queryId: 12n + BigInt(to), amount: 100n })) },
        { by: wallet(7), sends: [giving(linked, { from: wallet(7), to: wallet(4), ...ofLinked })] },
        { by: wallet(4), sends: [broughtGift(scene, demo, wallet(4))] },
      ],
    },
    {
      acts: [
        { by: wallet(3), sends: [burn(3, 40n)] },
        { by: wallet(4), sends: [burn(4, 999_999n)] },
        // More than the balance: the first transfer bounces, the second does not.
        { by: wallet(2), sends: [give(2, 1, { queryId: 31n, amount: 999_999n })] },
        { by: wallet(5), sends: [{ ...give(5, 1, { queryId: 32n, amount: 999_999n }), bounce: false }] },
      ],
    },
  ]
}

export const jettonsPart: ScriptPart = {
  name: 'jetton',
  title: PART_TITLES.jetton,
  mark: ({ cast, round }) => demoJetton(cast, round).address,
  steps,
}
