// The first runs of an instance. The check looks whether a patched emulator still does what the shipped one does: one
// transaction whose code fails and one get-method that catches the failure, on a configuration of seven parameters,
// compared with what the shipped build answered. The same get-method on a contract that was read before must give the same.

import { createHash } from 'node:crypto'
import type { Machine } from './machine.ts'
import { noText } from './machine.ts'

// Parameters 0, 8, 18, 20, 21, 24, 25.
const config =
  'te6ccgECFAEAAXMAAgPNwAEGAgEgAgQBAdwDAEBVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVQEB3AUAGsQAAAAMAAAAAAAAAe4CASAHDwIBIAgK' +
  'AQFqCQBN0GYAAAAAAAAAAAAAAACAAAAAAAAA+gAAAAAAAAH0AAAAAAAD0JBAAgFICw0BASAMAJTRAAAAAAAAAGQAAAAAAA9CQN4AAAAAJxAAAAAAAAAAD0JA' +
  'AAAAAAQsHYAAAAAAAAAnEAAAAAAAJiWgAAAAAAX14QAAAAAAO5rKAAEBIA4AlNEAAAAAAAAAZAAAAAAAAJxA3gAAAAABkAAAAAAAAAAPQkAAAAAAAA9CQAAA' +
  'AAAAACcQAAAAAACYloAAAAAABfXhAAAAAAA7msoAAgHUEBIBASARAELqAAAAAACYloAAAAAAJxAAAAAAAA9CQAAAAAGAAFVVVVUBASATAELqAAAAAAAGGoAA' +
  'AAAAAZAAAAAAAACcQAAAAAGAAFVVVVU='
// An account at 0:11..11 whose code is `SETCP0 PUSHNULL CTOS`: a type error, which passes through as a C++ exception.
const account =
  'te6ccgEBBAEAbwABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAm/AARERERERERERERERERERERERERERERERERERERERERESAlnAAAA' +
  'AAAAAAAAAAAABQJUC+QATQAIDAAj/AG3QAAA='
// 1 TON for it from 0:22..22, not to be bounced.
const message =
  'te6ccgEBAQEAWAAAq0gAREREREREREREREREREREREREREREREREREREREREREUABERERERERERERERERERERERERERERERERERERERERERQ7msoAAAAAAAAAA' +
  'B6EgMqn4gBA'
// `SETCP0 { PUSHNULL CTOS } { DROP2 } TRY 77 PUSHINT`: the same error, caught.
const code = 'te6ccgEBAQEADQAAFv8Akm3QkVvy/4BN'
const emptyCell = 'te6ccgEBAQEAAgAAAA=='
const emptyStack = 'te6ccgEBAQEABQAABgAAAA=='
const seed = '0'.repeat(64)
const address = `0:${'11'.repeat(32)}`
const utime = 1_700_000_000
const methodId = 85_143

function getMethodParams(debug: boolean): string {
  return JSON.stringify({
    code,
    data: emptyCell,
    verbosity: 0,
    libs: '',
    address,
    unixtime: utime,
    balance: '1',
    rand_seed: seed,
    gas_limit: '1000000',
    method_id: methodId,
    debug_enabled: debug,
  })
}

/**
 * The first run of an instance decides for its whole life whether debug instructions can print. Without this, a run with
 * debug output would have it or not, depending on the run before it.
 */
export function enableDebug(machine: Machine): void {
  machine.runGetMethod(getMethodParams(true), emptyStack, noText)
}

/** Runs both calls; gives a hash of what they answered, without the parts that differ from run to run. */
export function fingerprint(machine: Machine): string {
  const kept = machine.keep(config)
  const emulator = machine.createEmulator(kept, 0)
  const transaction = machine.emulate(
    emulator,
    null,
    account,
    message,
    JSON.stringify({
      utime,
      lt: '1000000',
      rand_seed: seed,
      ignore_chksig: false,
      debug_enabled: false,
    }),
  )
  const getMethod = machine.runGetMethod(getMethodParams(false), emptyStack, kept)
  machine.destroyEmulator(emulator)
  machine.release(kept)
  const hash = createHash('sha256')
  for (const answer of [transaction, getMethod]) {
    const { output }: { readonly output: Readonly<Record<string, unknown>> } = JSON.parse(answer)
    hash.update(JSON.stringify({ ...output, elapsed_time: null }))
  }
  return hash.digest('hex')
}

/** Throws if the answers are not those the build is known for. */
export function checkMachine(machine: Machine, expected: string): void {
  const actual = fingerprint(machine)
  if (actual !== expected) throw new Error(`Self-check of the patched emulator gave ${actual}`)
  checkContracts(machine)
}

function checkContracts(machine: Machine): void {
  const kept = machine.keep(config)
  const { output }: { readonly output: unknown } = JSON.parse(
    machine.runGetMethod(getMethodParams(false), emptyStack, kept),
  )
  const setting = { code, data: emptyCell, libs: '', address, now: utime, balance: 1n, randSeed: seed }
  const contract = machine.createContract({ ...setting, gasLimit: 1_000_000n, prevBlocks: null }, kept)
  for (const run of ['first', 'second']) {
    const answer = machine.runMethod(contract, methodId, emptyStack)
    if (JSON.stringify(JSON.parse(answer)) !== JSON.stringify(output))
      throw new Error(`Self-check of the patched emulator: the ${run} run of a contract gave ${answer}`)
  }
  machine.destroyContract(contract)
  machine.release(kept)
}
