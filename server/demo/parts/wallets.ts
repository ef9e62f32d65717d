// Coins between wallets of every kind: with texts, in the open and encrypted, to accounts that refuse them or are not there.

import { beginCell } from '../../cell/index.ts'
import { CONFIG_ACCOUNT, commentBody, EXTRA_CURRENCY, walletKinds, walletOfKind } from '../../devchain/index.ts'
import { encryptedCommentBody } from '../encryptedComment.ts'
import { coins, type Part, type Scene, type Step } from '../script.ts'

const LONG_TEXT = 'What does not fit one cell goes on in the next one, and in as many more as it takes. '.repeat(4)
/** The configuration contract knows no such request. */
const UNKNOWN_REQUEST = beginCell().storeUint(0x0badc0de, 32).storeUint(0n, 64).end()
const CONFIG = { workchain: -1, hash: CONFIG_ACCOUNT }
const NOBODY = { workchain: 0, hash: new Uint8Array(32).fill(0xdd) }

/** Another wallet of each owner, one of every kind. In the first round nobody has deployed any; an owner has one of v1. */
const newWallets = ({ cast, round }: Scene) =>
  walletKinds.map((kind, place) =>
    walletOfKind(cast.wallet(place + 1), kind, { globalId: cast.globalId, number: round + 1 }),
  )

const isNumbered = ({ kind }: ReturnType<typeof newWallets>[number]): boolean => !/^v[12]/.test(kind)

/** With just enough TON for the fees. */
const ofExtra = (amount: bigint) => ({ value: coins(0.05), currencies: new Map([[EXTRA_CURRENCY, amount]]) })

const text = (comment: string) => ({ body: commentBody(comment), bounce: false })

function steps(scene: Scene): Step[] {
  const { wallet } = scene.cast
  const fresh = newWallets(scene)
  const shares = [2, 3, 4, 5, 6, 7, 9, 10].map((number) => ({
    to: wallet(number).address,
    value: coins(1 + number / 10),
    ...text(`Share ${number} of 10`),
  }))
  const many = shares.map(({ to }) => ({ to, value: coins(0.1), ...text('One of many') }))
  const secret = encryptedCommentBody('Meet me at the pier at noon', wallet(8), wallet(9))
  return [
    {
      acts: [
        {
          by: wallet(1),
          sends: [
            { to: wallet(4).address, value: coins(12.5), ...text('Rent for May') },
            { to: wallet(8).address, value: coins(3), ...text('Grüße, und danke für das Essen 🍲') },
          ],
        },
        { by: wallet(5), sends: [{ to: wallet(2).address, value: coins(7), ...text(LONG_TEXT) }] },
        { by: wallet(8), sends: shares },
        {
          by: wallet(7),
          sends: [{ to: wallet(10).address, ...ofExtra(2500n), ...text('Of another currency') }],
        },
        { by: 'faucet', sends: fresh.map(({ address }) => ({ to: address, value: coins(100) })) },
      ],
    },
    {
      acts: [
        ...fresh.map((owner, place) => ({
          by: owner,
          sends: [
            { to: wallet(((place + 4) % 10) + 1).address, value: coins(0.5), ...text('First words of a new wallet') },
            ...(owner.kind === 'highload' ? many : []),
          ],
        })),
        { by: wallet(8), sends: [{ to: wallet(9).address, value: coins(2), body: secret, bounce: false }] },
        { by: wallet(10), sends: [{ to: wallet(3).address, ...ofExtra(600n), bounce: false }] },
        // Both come back: no account there could accept them.
        { by: wallet(4), sends: [{ to: NOBODY, value: coins(5) }] },
        { by: wallet(7), sends: [{ to: NOBODY, ...ofExtra(40n) }] },
        {
          by: wallet(2),
          sends: [
            // The first comes back, the second is kept by who refuses it.
            { to: CONFIG, value: coins(1), body: UNKNOWN_REQUEST },
            { to: CONFIG, value: coins(0.1), body: UNKNOWN_REQUEST, bounce: false },
          ],
        },
      ],
    },
  ]
}

export const wallets: Part = {
  name: 'wallets',
  title: 'coins between wallets',
  mark: (scene) => (newWallets(scene).find(isNumbered) ?? scene.cast.wallet(1)).address,
  steps,
}
