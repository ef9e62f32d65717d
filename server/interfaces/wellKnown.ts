// Contracts known by name: accounts by their raw address, codes by their hash in base64, each with the place it is
// published. Interfaces by code are in `codeHashes.ts`, the usual wallets in `walletKinds.ts`, with their sources too.

interface WellKnown {
  readonly id: string
  /** A public repository, or another public place to check it. */
  readonly source: string
}

const GETGEMS_CONTRACTS = 'getgems-io/nft-contracts'
const ETHENA_TOKENS = "Ethena's list of token addresses"
const TGBTC_TRACES = 'toncenter/ton-indexer, traces of tgBTC its classifier is tested with'

export const wellKnownAccounts = {
  elector: { id: `-1:${'3'.repeat(64)}`, source: 'configuration parameter 1' },
  /** The collection of `.ton`. */
  tonDomains: {
    id: '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF',
    source: 'ton-blockchain/dns-contract; the root contract resolves `ton` to it',
  },
  tonDomainsOfTestnet: {
    id: '0:E33ED33A42EB2032059F97D90C706F8400BB256D32139CA707F1564AD699C7DD',
    source: 'the root contract of the test network resolves `ton` to it',
  },
  telegramUsernames: {
    id: '0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2',
    source: 'TelegramMessenger/telemint; the root contract resolves `me.t` to it',
  },
  telegramNumbers: {
    id: '0:0E41DC1DC3C9067ED24248580E12B3359818D83DEE0304FABCF80845EAFAFDB2',
    source: 'TelegramMessenger/telemint; collection of nft.fragment.com/numbers.json',
  },
  getgemsSales: {
    id: '0:584EE61B2DFF0837116D0FCB5078D93964BCBE9C05FD6A141B1BFCA5D6A43E18',
    source: 'tonkeeper/ton-assets, "Getgems Sales"',
  },
  /** Public classifiers report it as Getgems, whose contracts it uses. */
  marketapp: {
    id: '0:9A9CB80ADFBD1662F5108766D73355AC2C03304FDA1D25A479670E34EFCD72B3',
    source: 'tonkeeper/ton-assets, "Marketapp Marketplace"',
  },
  /** Masters of proxied TON. */
  stonfiProxyTon: {
    id: '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
    source: 'ston-fi/sdk, pTON v1',
  },
  stonfiProxyTonV2: {
    id: '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
    source: 'ston-fi/sdk, pTON v2.1',
  },
  toncoProxyTon: {
    id: '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
    source: 'cryptoalgebra/tonco-sdk, pTON minter',
  },
  /** Masters of Ethena's dollar, and of the one that is staked. */
  usde: {
    id: '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC',
    source: ETHENA_TOKENS,
  },
  stakedUsde: {
    id: '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D',
    source: ETHENA_TOKENS,
  },
  hipoTreasury: {
    id: '0:8BC991CFE177BC7E9721433EFA3BEFD199485A55CFFD040A06C89AF026B71BCF',
    source: 'toncenter/ton-indexer, HIPO_TREASURY_ADDRESS of its classifier',
  },
  /** The collection of JVault's pools. */
  jvaultPools: {
    id: '0:184B700ED8D685AF9FB0975094F103220B1ACFD0E117627F368AA9EE493F452A',
    source: 'JVault-app/staking-v2, FACTORY_ADDRESS in constants.fc',
  },
  /** Teleports of tgBTC, the newest first: a mint or a new key is said in their logs alone. */
  tgbtcTeleport: {
    id: '0:E1177970B722A9422D8EF674B85CDCB2C88295EE397D7150A4A382F91921409C',
    source: TGBTC_TRACES,
  },
  tgbtcTeleportV3: {
    id: '0:C74F5D8CA19533BF30AE00DA6882DCEB478631A153CB50BF7707194194DFEBDF',
    source: TGBTC_TRACES,
  },
  tgbtcTeleportV2: {
    id: '0:B5AC556F935CA7040850A404A5E0ECDC14CD75575C420C9C2327787E1698480A',
    source: TGBTC_TRACES,
  },
  tgbtcTeleportV1: {
    id: '0:D6C837B455A4CE6E67E265F2BB4EC4743C96982275FB616383467D5737080845',
    source: TGBTC_TRACES,
  },
} as const satisfies Readonly<Record<string, WellKnown>>

export const wellKnownCodes = {
  domain: { id: 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=', source: 'ton-blockchain/dns-contract, nft-item.fc' },
  nominatorPool: {
    id: 'mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=',
    source: 'ton-blockchain/nominator-pool, func/pool.fc',
  },
  /** A stub that goes on with the code in configuration parameter -123, so that one hash covers every revision. */
  telegramWallet: {
    id: 'kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g=',
    source: 'accounts of the wallet in Telegram on the main network',
  },
  saleV1: { id: '2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=', source: GETGEMS_CONTRACTS },
  saleV2: { id: 'gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=', source: GETGEMS_CONTRACTS },
  saleV3: { id: 'MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=', source: GETGEMS_CONTRACTS },
  saleV3r2: { id: '3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=', source: GETGEMS_CONTRACTS },
  saleV3r3: { id: 'JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=', source: GETGEMS_CONTRACTS },
  saleV4: { id: 'a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y=', source: GETGEMS_CONTRACTS },
  auctionV1: { id: '/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=', source: GETGEMS_CONTRACTS },
  auctionV2: { id: 'ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=', source: GETGEMS_CONTRACTS },
  auctionV3r2: { id: 'G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=', source: GETGEMS_CONTRACTS },
  auctionV4: { id: 'zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=', source: GETGEMS_CONTRACTS },
} as const satisfies Readonly<Record<string, WellKnown>>
