// Public schemes of services, as they publish them: what the decoder shows, beside bodies that are read elsewhere too. A line
// is a body, `name#tag` with its fields, or with `?` when it is known by name alone; one that ends in `= Type` is a part of bodies.

import { bidaskLines } from './bidaskLines.ts'
import { cocoonLines } from './cocoonLines.ts'
import { coffeeLines } from './coffeeLines.ts'
import { dedustLines } from './dedustLines.ts'
import { evaaLines } from './evaaLines.ts'
import { fragmentLines } from './fragmentLines.ts'
import { jvaultLines } from './jvaultLines.ts'
import { launchpadsLines } from './launchpadsLines.ts'
import { moonLines } from './moonLines.ts'
import { othersLines } from './othersLines.ts'
import { stakingLines } from './stakingLines.ts'
import { stonfiLines } from './stonfiLines.ts'
import { stormLines } from './stormLines.ts'
import { tgbtcLines } from './tgbtcLines.ts'
import { toncoLines } from './toncoLines.ts'

const texts = [
  bidaskLines,
  cocoonLines,
  coffeeLines,
  dedustLines,
  evaaLines,
  fragmentLines,
  jvaultLines,
  launchpadsLines,
  moonLines,
  othersLines,
  stakingLines,
  stonfiLines,
  stormLines,
  tgbtcLines,
  toncoLines,
]

export const publicLines = (): string[] => texts.flatMap((text) => text.trim().split('\n'))
