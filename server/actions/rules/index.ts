// The rules, in the order they are tried: later ones see what earlier ones made.

import type { Rule } from '../rule.ts'
import { COCOON_REQUESTS } from './cocoon/clients.ts'
import { cocoonGrantRefund, cocoonProxyCharge, cocoonProxyPayout, cocoonWorkerPayout } from './cocoon/payouts.ts'
import { coffeeDeposit } from './coffee/deposit.ts'
import { coffeeMevFailed, coffeeMevHold } from './coffee/mev.ts'
import { coffeeCreatePool, coffeePoolCreator } from './coffee/pools.ts'
import { coffeeClaim, coffeeStake, coffeeUnstake } from './coffee/staking.ts'
import { coffeeSwap } from './coffee/swap.ts'
import { coffeeCreateVault } from './coffee/vault.ts'
import { coffeeWithdrawal } from './coffee/withdrawal.ts'
import { electionDeposit, electionRecover } from './contracts/elections.ts'
import { gaslessRequest } from './contracts/gasless.ts'
import { multisigApprove, multisigCreateOrder, multisigExecute } from './contracts/multisig.ts'
import { subscribe, unsubscribe } from './contracts/subscriptions.ts'
import { changeWalletKey } from './contracts/telegramWallet.ts'
import { vestingSend, vestingWhitelist } from './contracts/vesting.ts'
import { dedustClaimFees, dedustClaimReward } from './dedust/claimsV2.ts'
import { dedustDeposit } from './dedust/deposit.ts'
import { dedustDepositV2 } from './dedust/depositV2.ts'
import { dedustSwap } from './dedust/swap.ts'
import { dedustSwapV2 } from './dedust/swapV2.ts'
import { dedustWholeDeposit, dedustWholeDepositV2 } from './dedust/wholeDeposit.ts'
import { dedustWithdrawal } from './dedust/withdrawal.ts'
import { dedustWithdrawalV2 } from './dedust/withdrawalV2.ts'
import { changedRecords } from './dns/records.ts'
import { dnsPurchase, dnsRelease } from './dns/sales.ts'
import { evaaLiquidation } from './evaa/liquidation.ts'
import { evaaSupply } from './evaa/supply.ts'
import { evaaWithdrawal } from './evaa/withdrawal.ts'
import { hipoDeposit } from './hipo/deposit.ts'
import { hipoDepositSettled, hipoWithdrawalSettled } from './hipo/roundEnd.ts'
import { hipoWithdrawal } from './hipo/withdrawal.ts'
import { jettonBurn } from './jettons/burn.ts'
import { jettonMint } from './jettons/mint.ts'
import { proxyTonTransfer } from './jettons/proxyTon.ts'
import { jettonTransfer } from './jettons/transfer.ts'
import { jvaultClaim } from './jvault/claim.ts'
import { jvaultStake } from './jvault/stake.ts'
import { jvaultUnstake, jvaultUnstakeRequest } from './jvault/unstake.ts'
import { layerzeroCommit, layerzeroReceive, layerzeroVerify } from './layerzero/receive.ts'
import { layerzeroSend, layerzeroSendTokens } from './layerzero/send.ts'
import { nftAssigned } from './nft/assigned.ts'
import { nftDiscovery } from './nft/discovery.ts'
import { nftMint } from './nft/mint.ts'
import { nftPurchase } from './nft/purchase.ts'
import { nftTransfer } from './nft/transfer.ts'
import { auctionBid, auctionOutbid } from './sales/bids.ts'
import { cancelAuction, cancelSale, finishAuction } from './sales/ending.ts'
import { putOnSale } from './sales/listing.ts'
import { teleitemCancel, teleitemStart } from './sales/teleitems.ts'
import { updateSale } from './sales/update.ts'
import { delayedPayout } from './staking/delayedPayout.ts'
import { ethenaDeposit } from './staking/ethenaDeposit.ts'
import { ethenaRequest } from './staking/ethenaRequest.ts'
import { liquidDeposit } from './staking/liquidDeposit.ts'
import { liquidWithdrawal } from './staking/liquidWithdrawal.ts'
import { nominatorDeposit, nominatorProcessing, nominatorWithdrawal } from './staking/nominator.ts'
import { stonfiDeposit } from './stonfi/deposit.ts'
import { stonfiSwap } from './stonfi/swap.ts'
import { stonfiSwapV2 } from './stonfi/swapV2.ts'
import { stonfiRefund, stonfiWithdrawal } from './stonfi/withdrawal.ts'
import { tgbtcBurn, tgbtcBurnLog } from './tgbtc/burn.ts'
import { tgbtcMint, tgbtcMintLog } from './tgbtc/mint.ts'
import { tgbtcDkgLog, tgbtcNewKey, tgbtcNewKeyLog } from './tgbtc/newKey.ts'
import { toncoDeposit } from './tonco/deposit.ts'
import { toncoDeployPool } from './tonco/pool.ts'
import { toncoSwap } from './tonco/swap.ts'
import { toncoWithdrawal } from './tonco/withdrawal.ts'

export const ACTION_RULES: readonly Rule[] = [
  nftMint,
  delayedPayout,
  liquidDeposit,
  liquidWithdrawal,
  hipoDeposit,
  hipoWithdrawal,
  hipoDepositSettled,
  hipoWithdrawalSettled,
  multisigCreateOrder,
  multisigApprove,
  multisigExecute,
  vestingSend,
  vestingWhitelist,
  nominatorDeposit,
  nominatorWithdrawal,
  nominatorProcessing,
  jettonTransfer,
  proxyTonTransfer,
  dedustDeposit,
  dedustWholeDeposit,
  dedustDepositV2,
  dedustWholeDepositV2,
  dedustWithdrawal,
  dedustWithdrawalV2,
  jettonBurn,
  dedustSwap,
  dedustSwapV2,
  stonfiSwap,
  stonfiSwapV2,
  toncoSwap,
  dnsRelease,
  dnsPurchase,
  updateSale,
  nftTransfer,
  nftAssigned,
  nftPurchase,
  putOnSale,
  teleitemStart,
  teleitemCancel,
  nftDiscovery,
  changedRecords,
  electionDeposit,
  electionRecover,
  subscribe,
  unsubscribe,
  auctionBid,
  auctionOutbid,
  cancelSale,
  finishAuction,
  cancelAuction,
  ethenaRequest,
  jettonMint,
  ethenaDeposit,
  dedustClaimFees,
  dedustClaimReward,
  stonfiDeposit,
  stonfiWithdrawal,
  stonfiRefund,
  jvaultStake,
  jvaultUnstake,
  jvaultClaim,
  jvaultUnstakeRequest,
  evaaSupply,
  evaaWithdrawal,
  evaaLiquidation,
  tgbtcMint,
  tgbtcBurn,
  tgbtcNewKey,
  tgbtcMintLog,
  tgbtcBurnLog,
  tgbtcNewKeyLog,
  tgbtcDkgLog,
  toncoDeposit,
  toncoDeployPool,
  toncoWithdrawal,
  coffeeDeposit,
  coffeeSwap,
  coffeeWithdrawal,
  coffeeCreateVault,
  coffeePoolCreator,
  coffeeCreatePool,
  coffeeMevHold,
  coffeeMevFailed,
  coffeeStake,
  coffeeUnstake,
  coffeeClaim,
  layerzeroSend,
  layerzeroSendTokens,
  layerzeroReceive,
  layerzeroCommit,
  layerzeroVerify,
  cocoonWorkerPayout,
  cocoonProxyPayout,
  cocoonProxyCharge,
  cocoonGrantRefund,
  ...COCOON_REQUESTS,
  changeWalletKey,
  gaslessRequest,
]
