// Random data of the tests is the same in every run, so that a change is what makes one fail. `SEED=7` gives other data.

import { configureGlobal } from 'fast-check'

const given = process.env.SEED ?? '20261123'
if (!/^\d{1,9}$/.test(given)) throw new Error(`SEED is a whole number, and not ${JSON.stringify(given)}`)
// Otherwise a list of up to sixty is one of ten at most.
configureGlobal({ seed: Number(given), defaultSizeToMaxWhenMaxSpecified: true })
