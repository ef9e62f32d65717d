// Values that examples of several methods show, so that a reader meets the same accounts and messages in all of them.

export const exampleValues = {
  /** The wallet that calls of v2 are about. */
  WALLET: '0:a9d768fabaa98823a00533997be583369d0ea125e71aa2d0d9cad36d9cb8d118',
  /** The wallet that rows of v3 are about. */
  OWNER: '0:9DA971AF38D2F03ABDF308D5F91636A97E5A2B07A66C39D71D7CBAE3B032EDDC',
  OWNER_FRIENDLY: 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4',
  /** Whom it deals with. */
  OTHER: '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
  OTHER_BOUNCEABLE: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  JETTON: '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE',
  JETTON_WALLET: '0:C4072D7B04AB4C504CD223DFDE42C8037C6A99272D3624AEC2CBFF2E72B102DD',
  ELECTOR: `-1:${'3'.repeat(64)}`,
  /** A cell without bits; the second text is without a checksum. */
  CELL: 'te6cckEBAQEAAgAAAEysuc0=',
  CELL_WITHOUT_CHECKSUM: 'te6ccgEBAQEAAgAAAA==',
  HASH: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
  OTHER_HASH: 'PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0=',
  /** Of a masterchain block. */
  ROOT_HASH: '7/j0Uag1MI+IaBJ44Nd3G6eCrG3s9DFK9fw3AOmU65c=',
  FILE_HASH: 'qltlv0gkV5wbim9fp0rgYpBFnTtp2Rrf1aBcL+CqvgY=',
  TRACE: 'jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A=',
  DATA_HASH: '+m6rIJZP18+3nPvC4jcv8gTtmiWWf3W1tZsQ6nH+Xec=',
} as const
