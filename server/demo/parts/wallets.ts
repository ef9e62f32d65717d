// Transfers between wallets of every kind: with plain and encrypted comments, to accounts that refuse them or do not exist.

import { beginCell } from '../../cell/index.ts'
import { CONFIG_ACCOUNT, commentBody, devWallets, EXTRA_CURRENCY, walletOfKind } from '../../devchain/index.ts'
import { encryptedCommentBody } from '../encryptedComment.ts'
import { type Scene, type ScriptPart, type ScriptStep, scriptCoins } from '../script.ts'
import { PART_TITLES } from './titles.ts'

const LONG_TEXT = 'What does not fit one cell goes on in the next one, and in as many more as it takes. '.repeat(4)
/** An operation that the configuration contract does not have. */
const UNKNOWN_REQUEST = beginCell().storeUint(0x0badc0de, 32).storeUint(0n, 64).end()
const CONFIG = { workchain: -1, hash: CONFIG_ACCOUNT }
const ABSENT_ACCOUNT = { workchain: 0, hash: new Uint8Array(32).fill(0xdd) }

/** One more wallet per owner, of every kind. None is deployed before the first round; one of them is of v1. */
const newWallets = ({ cast, round }: Scene) =>
  devWallets.map((kind, place) =>
    walletOfKind(cast.wallet(place + 1), kind, { globalId: cast.globalId, number: round + 1 }),
  )

const isNumbered = ({ kind }: ReturnType<typeof newWallets>[number]): boolean => !/^v[12]/.test(kind)

/** Just enough TON for the fees. */
const ofExtra = (amount: bigint) => ({ value: scriptCoins(0.05), currencies: new Map([[EXTRA_CURRENCY, amount]]) })

const text = (comment: string) => ({ body: commentBody(comment), bounce: false })

function steps(scene: Scene): ScriptStep[] {
  const { wallet } = scene.cast
  const fresh = newWallets(scene)
  const shares = [2, 3, 4, 5, 6, 7, 9, 10].map((number) => ({
    to: wallet(number).address,
    value: scriptCoins(1 + number / 10),
    ...text(`Share ${number} of 10`),
  }))
  const many = shares.map(({ to }) => ({ to, value: scriptCoins(0.1), ...text('One of many') }))
  const secret = encryptedCommentBody('Meet me at the pier at noon', wallet(8), wallet(9))
  return [
    {
      acts: [
        {
          by: wallet(1),
          sends: [
            { to: wallet(4).address, value: scriptCoins(12.5), ...text('Rent for May') },
            { to: wallet(8).address, value: scriptCoins(3), ...text('Grüße, und danke für das Essen 🍲') },
          ],
        },
        { by: wallet(5), sends: [{ to: wallet(2).address, value: scriptCoins(7), ...text(LONG_TEXT) }] },
        { by: wallet(8), sends: shares },
        {
          by: wallet(7),
          sends: [{ to: wallet(10).address, ...ofExtra(2500n), ...text('Of another currency') }],
        },
        { by: 'faucet', sends: fresh.map(({ address }) => ({ to: address, value: scriptCoins(100) })) },
      ],
    },
    {
      acts: [
        ...fresh.map((owner, place) => ({
          by: owner,
          sends: [
            {
              to: wallet(((place + 4) % 10) + 1).address,
              value: scriptCoins(0.5),
              ...text('First words of a new wallet'),
            },
            ...(owner.kind === 'highload' ? many : []),
          ],
        })),
        { by: wallet(8), sends: [{ to: wallet(9).address, value: scriptCoins(2), body: secret, bounce: false }] },
        { by: wallet(10), sends: [{ to: wallet(3).address, ...ofExtra(600n), bounce: false }] },
        // Both bounce: the accounts do not exist.
        { by: wallet(4), sends: [{ to: ABSENT_ACCOUNT, value: scriptCoins(5) }] },
        { by: wallet(7), sends: [{ to: ABSENT_ACCOUNT, ...ofExtra(40n) }] },
        {
          by: wallet(2),
          sends: [
            // The first bounces; the second fails as well, but the receiver keeps the TON.
            { to: CONFIG, value: scriptCoins(1), body: UNKNOWN_REQUEST },
            { to: CONFIG, value: scriptCoins(0.1), body: UNKNOWN_REQUEST, bounce: false },
          ],
        },
      ],
    },
  ]
}

export const walletsPart: ScriptPart = {
  name: 'wallets',
  title: PART_TITLES.wallets,
  mark: (scene) => (newWallets(scene).find(isNumbered) ?? scene.cast.wallet(1)).address,
  steps,
}
