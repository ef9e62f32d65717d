// What is agreed for the wallets that pay out bit by bit, in tests of what is read from them.

export const VESTING_TERMS = {
  subwalletId: 7,
  publicKey: new Uint8Array(32).fill(9),
  start: 1_700_000_000,
  totalDuration: 1000,
  unlockPeriod: 100,
  cliffDuration: 200,
}
