// Soulbound items: their ownership is proved, they are destroyed and revoked.

import { commentBody, type Deployment } from '../../devchain/index.ts'
import {
  linkPart,
  nftCollectionInit,
  nftItemInit,
  nftMintBatchBody,
  offChainContent,
  soulboundDestroyBody,
  soulboundProveBody,
  soulboundRevokeBody,
} from '../contracts/index.ts'
import { roundName, type Scene, type ScriptPart, type ScriptStep, scriptCoins } from '../script.ts'
import { PART_TITLES } from './titles.ts'

const KIND = 'nft/soulbound'

function badgeCollection({ cast, round }: Scene): Deployment {
  const owner = cast.wallet(5).address
  const place = `https://demo.invalid/${roundName('badges', round)}`
  return nftCollectionInit({
    owner,
    content: offChainContent(`${place}.json`),
    commonLink: `${place}/`,
    royalty: { numerator: 0, denominator: 1, destination: owner },
    itemKind: KIND,
  })
}

function steps(scene: Scene): ScriptStep[] {
  const { wallet } = scene.cast
  const collection = badgeCollection(scene)
  const badge = (index: bigint) => nftItemInit(collection.address, index, KIND).address
  const made = [1, 2, 3].map((number) => ({
    owner: wallet(number).address,
    content: linkPart(`${number}.json`),
    authority: wallet(5).address,
    value: scriptCoins(0.1),
  }))
  const proof = { queryId: 50n, to: wallet(4).address, payload: commentBody('It is mine'), withContent: true }
  const value = scriptCoins(0.1)
  return [
    { acts: [{ by: wallet(5), sends: [{ to: collection, value: scriptCoins(0.5), bounce: false }] }] },
    {
      acts: [
        {
          by: wallet(5),
          sends: [{ to: collection.address, value: scriptCoins(1), body: nftMintBatchBody(51n, 0n, made) }],
        },
      ],
    },
    {
      acts: [
        { by: wallet(1), sends: [{ to: badge(0n), value, body: soulboundProveBody(proof) }] },
        { by: wallet(2), sends: [{ to: badge(1n), value, body: soulboundDestroyBody(52n) }] },
        { by: wallet(5), sends: [{ to: badge(2n), value, body: soulboundRevokeBody(53n) }] },
      ],
    },
  ]
}

export const badgesPart: ScriptPart = {
  name: 'sbt',
  title: PART_TITLES.sbt,
  mark: (scene) => badgeCollection(scene).address,
  steps,
}
