// The rooms of the project: which may see which, through which doors, and with which packages.

/** A room, and the rooms it may see. What is not listed is refused, a new room too. */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  client: ['shared'],
  'client/ton': ['client'],
  'client/explorer': ['shared', 'client'],
  'server/process': [],
  'server/observe': ['server/process'],
  'server/backup': ['server/process'],
  'server/fairness': [],
  'server/cell': [],
  'server/tl': [],
  'server/tlb': ['server/cell'],
  'server/bodies': ['server/cell'],
  'server/decode': ['server/cell', 'server/bodies'],
  'server/actions': ['server/cell', 'server/bodies', 'server/interfaces', 'server/tlb'],
  'server/tvm': ['server/process', 'server/cell'],
  'server/node': ['server/process', 'server/fairness', 'server/cell', 'server/tlb', 'server/tl'],
  'server/devchain': [
    'shared',
    'server/process',
    'server/fairness',
    'server/cell',
    'server/tlb',
    'server/tvm',
    'server/node',
  ],
  // A user of the embedded chain, through its door.
  'server/demo': ['shared', 'server/cell', 'server/bodies', 'server/tlb', 'server/devchain'],
  'server/store': ['server/process', 'server/fairness'],
  'server/interfaces': ['shared', 'server/cell'],
  'server/contracts': [
    'server/fairness',
    'server/node',
    'server/interfaces',
    'server/tlb',
    'server/tvm',
    'server/cell',
  ],
  // Pure: what cells say, as values of rows.
  'server/facts': [
    'server/node',
    'server/store',
    'server/interfaces',
    'server/actions',
    'server/bodies',
    'server/tlb',
    'server/cell',
  ],
  'server/indexer': [
    'shared',
    'server/process',
    'server/fairness',
    'server/node',
    'server/facts',
    'server/contracts',
    'server/store',
    'server/interfaces',
    'server/actions',
    'server/bodies',
    'server/tlb',
    'server/tvm',
    'server/cell',
  ],
  // Connections to hosts that strangers choose.
  'server/outbound': [],
  'server/metadata': ['server/process', 'server/fairness', 'server/store', 'server/cell', 'server/outbound'],
  // State of several processes in a Redis.
  'server/sharing': ['server/process'],
  'server/access': ['shared', 'server/process', 'server/fairness', 'server/store', 'server/sharing'],
  'server/docs': ['shared', 'server/docs/browser'],
  // Runs in a page.
  'server/docs/browser': [],
  'server/docs/thread': ['shared', 'server/process', 'server/docs'],
  'server/methods': [
    'server/process',
    'shared',
    'server/fairness',
    'server/node',
    'server/contracts',
    'server/facts',
    'server/store',
    'server/access',
    'server/interfaces',
    'server/actions',
    'server/bodies',
    'server/tlb',
    'server/tvm',
    'server/cell',
    'server/decode',
  ],
  // Subscriptions, and what follows of messages and blocks for them.
  'server/streaming': [
    'server/process',
    'shared',
    'server/fairness',
    'server/store',
    'server/access',
    'server/actions',
    'server/methods',
  ],
  'server/webhooks': [
    'server/process',
    'shared',
    'server/fairness',
    'server/store',
    'server/access',
    'server/methods',
    'server/streaming',
    'server/outbound',
  ],
  'server/http': [
    'server/process',
    'shared',
    'server/fairness',
    'server/methods',
    'server/access',
    'server/docs',
    'server/streaming',
    'server/webhooks',
  ],
  // Processes next to the owner of the chain.
  'server/workers': [
    'shared',
    'server/process',
    'server/store',
    'server/access',
    'server/node',
    'server/indexer',
    'server/methods',
    'server/http',
    'server/webhooks',
  ],
  // The composition: the one room that sees nearly all others.
  'server/app': [
    'shared',
    'server/process',
    'server/backup',
    'server/fairness',
    'server/observe',
    'server/cell',
    'server/tlb',
    'server/tvm',
    'server/node',
    'server/devchain',
    'server/demo',
    'server/contracts',
    'server/store',
    'server/indexer',
    'server/outbound',
    'server/metadata',
    'server/methods',
    'server/access',
    'server/sharing',
    'server/docs',
    'server/docs/thread',
    'server/http',
    'server/workers',
    'server/streaming',
    'server/webhooks',
  ],
  'server/cli': [
    'shared',
    'server/app',
    'server/process',
    'server/backup',
    'server/observe',
    'server/cell',
    'server/devchain',
    'server/demo',
    'server/actions',
    'server/access',
    // Lite servers, examined one by one.
    'server/node',
  ],
  // Starts the command as it was built, for users' tests.
  'server/testing': ['client'],
  'server/build': ['shared', 'server/devchain', 'server/demo', 'server/store', 'server/docs'],
}

/** All rooms of the server but the pure ones may import its types. */
export const SEEN_BY_ALL = 'server/observe'
export const PURE = [
  'server/cell',
  'server/tl',
  'server/tlb',
  'server/bodies',
  'server/tvm',
  'server/interfaces',
  'server/actions',
  'server/facts',
  'server/docs',
  'server/docs/browser',
]

/** Arrows along which only types go: a room of pure functions knows the form of what another keeps. */
export const FOR_TYPES: Readonly<Record<string, string>> = { 'server/facts': 'server/store' }

/** Rooms without a door: all their files may be imported. */
export const OPEN = ['shared']

/** What a room is entered by, besides its `index.ts`. */
export const FURTHER_DOORS: Readonly<Record<string, readonly string[]>> = {
  // Amounts need no call, and a page shows them before it makes one.
  client: ['client/ws.ts', 'client/units.ts'],
  // What commands need that are no service: nothing behind these loads one.
  'server/app': [
    'server/app/settings/settings.ts',
    'server/app/programVersion.ts',
    'server/app/callers.ts',
    'server/app/data/dataFolder.ts',
    'server/app/database/openIndexDatabase.ts',
    'server/app/settings/secretFiles.ts',
    'server/app/settings/ownFiles.ts',
    'server/app/startRefused.ts',
  ],
  'server/backup': ['server/backup/noDataFolder.ts'],
  'server/access': ['server/access/plans.ts', 'server/access/clientAddress.ts'],
  'server/http': ['server/http/httpOptions.ts'],
  // Steps of the build, which load what no service needs.
  'server/devchain': ['server/devchain/contracts/buildContracts.ts', 'server/devchain/validatorCount.ts'],
  'server/demo': ['server/demo/contracts/buildDemoContracts.ts', 'server/demo/parts/titles.ts'],
  'server/store': ['server/store/pglite/buildImages.ts'],
  'server/docs/browser': ['server/docs/browser/callData.ts'],
  // What draws in the thread: nothing else loads it.
  'server/docs': ['server/docs/createDrawing.ts'],
}

/** Folders that mirror each other by topic, by protocol or by command: their files may have one name. */
export const MIRRORED = [
  'shared/v2',
  'shared/v3',
  'server/methods/v2',
  'server/methods/v3',
  'server/methods/v4',
  'server/methods/view',
  'server/store/read',
  'server/store/write',
  'server/store/tables',
  'server/streaming/notifications',
  'server/indexer/assets/rows',
  'server/facts/parse',
  'server/tlb',
  'server/actions/rules',
  'server/bodies/protocols',
  'server/contracts/kinds',
  'server/contracts/known',
  'server/demo/contracts',
  'server/demo/parts',
  'server/devchain/lite',
  'server/node/verify',
  'server/cli',
]

/** Of `shared/`, their bundles hold these files; of the others they take types. */
export const BUNDLED: Readonly<Record<string, RegExp>> = {
  client: /^shared\/errors\.ts$/,
  'client/explorer':
    /^shared\/(?:explorer\/\w+|abi\/\w+|address|addressAdvice|base64|errors|exitCodes|groupTitles|isObject|parseHash|hex|methodNames)\.ts$/,
}

/** Doors of the published client, and where the explorer's page begins. */
export const ENTRIES = ['client/index.ts', 'client/ws.ts', 'client/ton/index.ts', 'client/explorer/main.tsx']

/** Packages that carry one concern, and the one room that knows them. */
export const PACKAGE_ROOMS: Readonly<Record<string, string>> = {
  koa: 'server/http',
  '@koa/router': 'server/http',
  'json-rpc-2.0': 'server/http',
  marked: 'server/docs',
  pg: 'server/store',
  '@electric-sql/pglite': 'server/store',
}

/** Rooms that others install or load: the packages they may import. A room that is not here may import any. */
export const ONLY_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  shared: ['zod'],
  client: [],
  'client/ton': ['@ton/core'],
  // `url` is the script an operator gives, in a worker.
  'client/explorer': ['preact', 'preact/hooks', '@preact/signals', 'url'],
  'server/docs/browser': [],
}
