// A wallet pays a subscription by a plugin and later removes it; and the elector refuses requests.

import {
  type Deployment,
  ELECTOR_ADDRESS,
  electorRecoverBody,
  electorStakeBody,
  signedStake,
} from '../../devchain/index.ts'
import {
  nftItemInit,
  nftStaticDataBody,
  subscriptionAskBody,
  subscriptionInstalledBody,
  subscriptionPlugin,
} from '../contracts/index.ts'
import { type Scene, type ScriptPart, type ScriptStep, scriptCoins } from '../script.ts'
import { demoCollection } from './items.ts'
import { PART_TITLES } from './titles.ts'

const PERIOD = 60
/** The same on every chain: the address of the plugin follows from it. */
const BEGAN = 1_750_000_000

const pluginOf = ({ cast, round }: Scene): Deployment =>
  subscriptionPlugin({
    wallet: cast.wallet(7).address,
    beneficiary: cast.wallet(10).address,
    amount: scriptCoins(3),
    id: round,
    period: PERIOD,
    start: BEGAN,
    timeout: 30,
  })

/** Unsigned, and for an election that does not exist: the elector returns the stake. */
const unsignedStake = signedStake({
  electAt: BEGAN,
  maxFactor: 3,
  holder: ELECTOR_ADDRESS,
  publicKey: new Uint8Array(32).fill(1),
  adnl: new Uint8Array(32).fill(2),
  sign: () => new Uint8Array(64),
})

function steps(scene: Scene): ScriptStep[] {
  const { cast } = scene
  const { wallet } = cast
  const plugin = pluginOf(scene)
  const item = nftItemInit(demoCollection(cast).address, 0n).address
  return [
    {
      acts: [
        {
          by: wallet(7),
          sends: [],
          plugin: { kind: 'install', plugin, value: scriptCoins(0.5), body: subscriptionInstalledBody(92n) },
        },
        {
          by: wallet(2),
          sends: [
            { to: ELECTOR_ADDRESS, value: scriptCoins(10), body: electorStakeBody(90n, unsignedStake) },
            { to: ELECTOR_ADDRESS, value: scriptCoins(1), body: electorRecoverBody(91n) },
            { to: item, value: scriptCoins(0.1), body: nftStaticDataBody(93n) },
          ],
        },
      ],
    },
    {
      wait: PERIOD,
      acts: [
        { by: wallet(10), sends: [{ to: plugin.address, value: scriptCoins(0.1), body: subscriptionAskBody(94n) }] },
      ],
    },
    {
      acts: [
        {
          by: wallet(7),
          sends: [],
          plugin: { kind: 'remove', plugin: plugin.address, value: scriptCoins(0.1), queryId: 95n },
        },
      ],
    },
  ]
}

export const subscriptionPart: ScriptPart = {
  name: 'subscription',
  title: PART_TITLES.subscription,
  mark: (scene) => pluginOf(scene).address,
  steps,
}
