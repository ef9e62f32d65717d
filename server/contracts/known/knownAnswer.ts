// Code whose answers are known beforehand, by its hash: for each of its methods the data says all that a run would. It
// saves most TVM runs, because most tokens have one of a few codes.

import { type BinaryHash, hashFromHex, orNull } from '../../cell/index.ts'
import { methodId } from '../../interfaces/index.ts'
import type { MethodCall, RunnableContract, RunOutcome } from '../run/runGetMethod.ts'
import { type KnownMethod, type KnownMethods, NO_METHOD } from './answer.ts'
import { lockableWallet, plainMaster, plainWallet } from './jetton.ts'
import { plainCollection, plainItem } from './nft.ts'

const codes: readonly (readonly [answers: KnownMethods, ...hashes: string[]])[] = [
  [plainMaster, 'b5f593bc516900173f77930105bbc06454767bb2be20f62c95f2ca51ac20e073'],
  [plainWallet, '817c92b5e984bc5705b8b5bcb3ed9d1506440ebac26596910ee0c52702df923d'],
  // Both are cells that refer to a library: stablecoins' wallets, and the usual newer ones.
  [
    lockableWallet,
    '89468f02c78e570802e39979c8516fc38df07ea76a48357e0536f2ba7b3ee37b',
    '8d28ea421b77e805fea52acf335296499f03aec8e9fd21ddb5f2564aa65c48de',
  ],
  [plainCollection, 'b281e843087244e63901072e8fc24a424f94f755c69640d2e0bf97ec4e0026bd'],
  [plainItem, '525bd33b9884e8a8b1da53d5a9742dc1cbe5bc9149ca10fb234f094ecf89ecd4'],
]

const byMethod = (answers: KnownMethods): ReadonlyMap<number, KnownMethod> =>
  new Map(Object.entries(answers).map(([name, answer]) => [methodId(name), answer]))

const byCode: ReadonlyMap<BinaryHash, ReadonlyMap<number, KnownMethod>> = new Map(
  codes.flatMap(([answers, ...hashes]) => {
    const methods = byMethod(answers)
    return hashes.map((hash) => [hashFromHex(hash), methods] as const)
  }),
)

/** Exit code of a method that is not there. */
const NOT_FOUND = 11

/** Null where the TVM has to run: for other code, other methods, and data or arguments that make a method fail. */
export function knownAnswer(contract: RunnableContract, { methodId: method, stack }: MethodCall): RunOutcome | null {
  const answer = byCode.get(contract.code.hash())?.get(method)
  const { workchain, hash, code, data } = contract
  if (answer === undefined || data === null) return null
  const left = orNull(() => answer({ workchain, hash, code, data }, stack))
  if (left === NO_METHOD) return { exitCode: NOT_FOUND, gasUsed: 0, stack: [] }
  return left === null ? null : { exitCode: 0, gasUsed: 0, stack: left }
}
