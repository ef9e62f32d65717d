// When an action made by hand began and ended, each number another one.

export const ACTION_TIMES = {
  startLt: 1n,
  endLt: 2n,
  startUtime: 3,
  endUtime: 4,
  traceEndLt: 5n,
  traceEndUtime: 6,
  traceMcSeqnoEnd: 7,
}
