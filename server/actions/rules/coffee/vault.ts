// A vault of swap.coffee for one more asset.

import type { Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { DEPLOY, readAsset } from './asset.ts'

const CREATE_VAULT = 0xc0ffee06
const PROVIDE_WALLET = 0x2c76b973
const TAKE_WALLET = 0xd1735400

interface NewVault {
  readonly source: string | null
  readonly vault: string | null
  readonly asset: string | null
  readonly value: bigint | null
}

const COFFEE_CREATE_VAULT = new Kind<NewVault>({
  type: 'coffee_create_vault',
  describe: ({ source, vault, asset, value }) => ({
    roles: { source, destination: vault, asset },
    details: { source, vault, asset, value: digits(value) },
  }),
})

const readAssetBehindQuery = (body: Slice) => ({ asset: readAsset(body.skip(64)) })

export const coffeeCreateVault: Rule = {
  name: 'coffee/vault',
  begins: isCall(CREATE_VAULT),
  match(request) {
    const picked = new Picked(request)
    const deploy = picked.next(request, isCall(DEPLOY))
    const requested = readBody(request, readAssetBehindQuery)
    const from = envelopeOf(request)
    if (deploy === null || requested === null || from === undefined) return null
    // A vault of jettons requests the address of its own wallet from the master.
    const question = picked.next(deploy, isCall(PROVIDE_WALLET))
    const answer = question === null ? null : picked.next(question, isCall(TAKE_WALLET))
    const content = COFFEE_CREATE_VAULT.content({
      source: from.source,
      vault: envelopeOf(deploy)?.destination ?? null,
      asset: requested.asset,
      value: from.value,
    })
    return { blocks: picked.blocks, content, failed: [request, deploy, answer].some((block) => block?.failed === true) }
  },
}
