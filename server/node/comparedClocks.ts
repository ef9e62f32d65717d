// Words for a chain whose clock is not the computer's.

export interface ComparedClocks {
  /** Unix seconds of the chain. */
  readonly chain: number
  /** Unix seconds of this computer. */
  readonly computer: number
}

export const clocksApart = ({ chain, computer }: ComparedClocks): string =>
  `The chain's clock is ${Math.abs(chain - computer)} s ${chain > computer ? 'ahead of' : 'behind'} this computer's`

/** What that means for a message, and what to do. */
export function signedByComputer(clocks: ComparedClocks): string {
  const { chain, computer } = clocks
  const what = chain > computer ? 'has expired on the chain' : 'may not be valid on the chain yet'
  return (
    `${clocksApart(clocks)}, so a message signed by this computer's clock ${what}: sign it for ${chain} (unix seconds) and ` +
    'later, go back with dev.revert, or let the clocks meet again with dev.resetTime.'
  )
}
