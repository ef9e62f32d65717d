// Traces made of recorded ones, with what the public reference classifier makes of each.

import { expect, test } from 'vitest'
import { classifyTrace } from '../../../server/actions/index.ts'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import { agreementOn } from './agreement.ts'
import { mistakeOf } from './made/mistakes.ts'
import { madeFiles, readAnswers } from './made/stored.ts'
import { digestOf } from './made/tree.ts'
import { expectShapes } from './shapes.ts'

const answers = readAnswers()
/** Of a few the reference says this or that, by the order its sets happen to have. */
const made = [...madeFiles()].filter(({ name }) => answers[name] !== undefined)

test('the traces are those that the reference saw', () => {
  expect(made.length).toBe(Object.keys(answers).length)
  expect(made.length).toBeGreaterThan(2500)
  expect(made.filter(({ name, file }) => answers[name]?.digest !== digestOf(file)).map(({ name }) => name)).toEqual([])
})

test('all of 2,800 are read as the reference reads them, or as the chain proves', () => {
  const unlike: string[] = []
  let mistakes = 0
  for (const { name, file } of made) {
    const reference = answers[name]?.actions.map((values) => ({ type: String(values.type), values })) ?? []
    const known = traceOfFile(file)
    const agreement = agreementOn(known, reference)
    if (agreement.differences.length === 0) continue
    if (mistakeOf(name, known, agreement) === null) unlike.push(`${name}: ${agreement.differences[0]}`)
    else mistakes += 1
  }
  expect(unlike).toEqual([])
  // Each is proven by its trace: another number is a rule that reports something else now.
  expect(mistakes).toBe(132)
})

test('details fit the shape of their type', () => {
  // Every sixth has all types, and all ways to fail.
  for (const { file } of made.filter((_, i) => i % 6 === 0)) {
    const { trace, facts } = traceOfFile(file)
    expectShapes(classifyTrace(trace, facts).actions)
  }
})
