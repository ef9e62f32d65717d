// A vault of swap.coffee for one more asset.

import { coffee, jettons } from '../../../bodies/index.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

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

const readRequest = fieldsOf(coffee.createVault, 'asset')

/** Invariant: the factory, requested to, deploys a vault, which learns its own wallet where the asset is a jetton. */
export const coffeeCreateVault: Rule = {
  name: 'coffee/vault',
  begins: isCall(coffee.createVault.opcode),
  match(request) {
    const picked = new Picked(request)
    const deploy = picked.next(request, isCall(coffee.deploy.opcode))
    const requested = readBody(request, readRequest)
    const from = envelopeOf(request)
    if (deploy === null || requested === null || from === undefined) return null
    // A vault of jettons requests the address of its own wallet from the master.
    const question = picked.next(deploy, isCall(jettons.provideWalletAddress.opcode))
    const answer = question === null ? null : picked.next(question, isCall(jettons.takeWalletAddress.opcode))
    const content = COFFEE_CREATE_VAULT.content({
      source: from.source,
      vault: destinationOf(deploy),
      asset: requested.asset,
      value: from.value,
    })
    const failed = [request, deploy, question, answer].some((block) => block?.failed === true)
    return { blocks: picked.blocks, content, failed }
  },
}
