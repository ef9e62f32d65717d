// Message bodies of contracts and protocols: one line of TL-B each, from which typed readers and writers of its fields are
// made. Code that decodes, classifies, stores or writes a body takes its layout and its operation from here.
// It knows no chain, and nothing of what a message does.

export { type Body, type BodyDefinition, body, type Definition, type Layout } from './bodyDefinition.ts'
export { type BodyField, numberIn, parseConstructor, type Tag, type TypeTree, typeIn } from './grammar.ts'
export type { FieldName, LineFields, WrittenFields } from './lineTypes.ts'
export type { Payload, PayloadParts } from './payload.ts'
export { cocoon, cocoonOrder } from './protocols/cocoon.ts'
export { coffee, coffeeStaking } from './protocols/coffee.ts'
export { dedust, dedustStep, dedustStepV2, dedustV2 } from './protocols/dedust.ts'
export { dns, dnsRecordLayouts } from './protocols/dns.ts'
export { elector } from './protocols/elector.ts'
export { evaa, evaaHeader } from './protocols/evaa.ts'
export { everyday } from './protocols/everyday.ts'
export { hipo } from './protocols/hipo.ts'
export { jettons } from './protocols/jettons.ts'
export { jvault, jvaultPoolData, jvaultWalletData } from './protocols/jvault.ts'
export {
  layerzero,
  layerzeroCommitRequest,
  layerzeroObject,
  layerzeroPacket,
  layerzeroPath,
  layerzeroRequest,
  layerzeroStatus,
} from './protocols/layerzero.ts'
export { liquidStaking } from './protocols/liquidStaking.ts'
export { multisig, multisigActions } from './protocols/multisig.ts'
export { nft } from './protocols/nft.ts'
export { nominators } from './protocols/nominators.ts'
export { auctionData, saleData } from './protocols/saleContracts.ts'
export { nameAuctionConfig, sales } from './protocols/sales.ts'
export { routerRequest, stonfi, stonfiV2 } from './protocols/stonfi.ts'
export { tgbtc } from './protocols/tgbtc.ts'
export { tonco, toncoMinters, toncoPlace } from './protocols/tonco.ts'
export { vesting } from './protocols/vesting.ts'
export { walletRequests } from './protocols/wallets.ts'
