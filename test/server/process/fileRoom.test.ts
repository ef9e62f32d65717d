import { expect, test } from 'vitest'
import {
  filesOfThreads,
  limitInReport,
  limitInText,
  planFiles,
  roomForFiles,
} from '../../../server/process/fileRoom.ts'

test('an eighth of what the service does not need itself is for syncs, one for webhooks, with bounds; the rest is for callers', () => {
  expect([1_000, 100_000, 520, 448, 456].map((room) => planFiles(room, { own: 448, isEmbedded: true }))).toEqual([
    { callers: 414, syncs: 69, attempts: 69 },
    { callers: 98_272, syncs: 256, attempts: 1024 },
    { callers: 54, syncs: 9, attempts: 9 },
    null,
    null,
  ])
})

test('where the database is elsewhere nothing is for syncs', () => {
  const files = { own: 96, isEmbedded: false }
  expect([1_000, 97, 96].map((room) => planFiles(room, files))).toEqual([
    { callers: 791, syncs: 0, attempts: 113 },
    { callers: 1, syncs: 0, attempts: 1 },
    null,
  ])
})

test('threads of a machine with many processors have files, too, but leave half for callers', () => {
  expect([2, 3, 63].map(filesOfThreads)).toEqual([0, 4, 244])
  const files = { own: 448, threads: 244, isEmbedded: true }
  expect([1_000, 600, 400].map((room) => planFiles(room, files))).toEqual([
    { callers: 232, syncs: 38, attempts: 38 },
    { callers: 58, syncs: 9, attempts: 9 },
    null,
  ])
})

test('a process without a limit has room for all', () => {
  expect(planFiles(Number.POSITIVE_INFINITY, { own: 448, isEmbedded: true })).toEqual({
    callers: Number.POSITIVE_INFINITY,
    syncs: 256,
    attempts: 1024,
  })
})

test('the limit of files is that in force; a system may have none', () => {
  const reports = [
    { userLimits: { open_files: { soft: 512, hard: 1024 } } },
    { userLimits: { open_files: { soft: 'unlimited', hard: 'unlimited' } } },
    { userLimits: {} },
    {},
  ]
  expect(reports.map(limitInReport)).toEqual([
    512,
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ])
})

test('the file of Linux says the limit in force in its first column', () => {
  const text = (soft: string) =>
    `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft.padEnd(21)}4096                 files     \n`
  expect([text('512'), text('unlimited'), 'Max processes 5 5', ''].map(limitInText)).toEqual([
    512,
    Number.POSITIVE_INFINITY,
    null,
    null,
  ])
})

test('this process has room for more files', () => {
  expect(roomForFiles()).toBeGreaterThan(0)
})
