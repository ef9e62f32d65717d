// What kind of action a line is about, for eyes that look before they read. The title next to it says the same.

const CIRCLE = 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z'

/** Lines on a square of 16. */
const LINES = {
  sent: 'M2.5 8h11M9 3.5 13.5 8 9 12.5',
  coins: `${CIRCLE}M5.5 5.5h5M8 5.5v5.5`,
  minted: `${CIRCLE}M8 5v6M5 8h6`,
  burnt: 'M8.5 1.5c.5 3 4 4 4 8a4.5 4.5 0 0 1-9 0c0-2 1-3 2-4 .2 1.2.7 1.8 1.5 2.2C6.8 5.5 7.5 3.5 8.5 1.5Z',
  swapped: 'M2.5 5.5h11M10.5 2.5l3 3-3 3M13.5 10.5h-11M5.5 7.5l-3 3 3 3',
  item: 'M2.5 2.5h11v11h-11ZM2.5 11.5l3.5-4 3 3 1.5-1.5 3 3',
  deployed: 'M8 1.5 13.5 4.5v7L8 14.5l-5.5-3v-7ZM2.5 4.5 8 7.5l5.5-3M8 7.5v7',
  called: 'M5.5 4 1.5 8l4 4M10.5 4l4 4-4 4',
  back: 'M5.5 2.5 2 6l3.5 3.5M2 6h7.5a4 4 0 0 1 0 8H6',
  domain: `${CIRCLE}M2 8h12M8 2c-3.5 4-3.5 8 0 12 3.5-4 3.5-8 0-12Z`,
  staked: 'M2 13.5h12M4 13.5V9M8 13.5v-11M12 13.5V6',
  keys: 'M7.5 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM7.5 8h7v3M11.5 8v2.5',
  clock: `${CIRCLE}M8 4.5V8l2.5 1.5`,
  failed: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
} as const

export type IconName = keyof typeof LINES

/** By the words in a type; the first that fits. */
const BY_WORDS: readonly (readonly [words: RegExp, icon: IconName])[] = [
  [/dns/, 'domain'],
  [/multisig|wallet_key|subscribe|whitelist|new_key|dkg|register|secret/, 'keys'],
  [/swap|liquid|mev/, 'swapped'],
  [/burn/, 'burnt'],
  [/mint/, 'minted'],
  [/stak|election|evaa|jvault|claim/, 'staked'],
  [/nft|item|auction/, 'item'],
  [/deploy|create/, 'deployed'],
  [/jetton/, 'coins'],
  [/tick/, 'clock'],
  [/call|unknown|gasless/, 'called'],
]

export const iconOf = (type: string): IconName => BY_WORDS.find(([words]) => words.test(type))?.[1] ?? 'sent'

export const ActionIcon = ({ name }: { readonly name: IconName }) => (
  <svg class={name === 'failed' ? 'icon failed' : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
    <path d={LINES[name]} />
  </svg>
)
