// npm run bench [-- start-up|speed|guard|guard start|screens|compression|hostile|memory|growth|workshop] [-- --quick]. Without a name: all of them, one after
// the other, in about a quarter of an hour, or with --quick in three minutes. Absolute figures move from machine to machine and
// from minute to minute; ratios of one run are what counts. At the end stand those that there is an aim for.
import { parseArgs } from 'node:util'
import { measureCompression } from './compression.js'
import { measureGrowth } from './growth.js'
import { GUARD } from './guard.js'
import { measureWithEarlier } from './guard-earlier.js'
import { measureHostile } from './hostile.js'
import { measureMemory } from './memory.js'
import { measureScreens } from './screens.js'
import { measureSpeed } from './speed.js'
import { measureStartUp } from './start-up.js'
import { isMet, printTable } from './statistics.js'
import { measureRoomLab, measureWorkshop } from './workshop.js'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean' } } })
const { quick = false } = values
const [first, part] = positionals
const benches = {
  'start-up': () => measureStartUp(quick ? 9 : 31),
  speed: () => measureSpeed(quick ? { rounds: 3, seconds: 0.5 } : { rounds: 9, seconds: 0.7 }),
  guard: () => measureWithEarlier(part === 'start', quick),
  screens: () =>
    measureScreens(
      quick
        ? { runs: 5, presses: 20, seconds: 5, flood: 5_000 }
        : { runs: 15, presses: 60, seconds: 15, flood: 50_000 },
    ),
  compression: () => measureCompression(quick ? { rounds: 3, seconds: 0.5 } : { rounds: 9, seconds: 0.7 }),
  hostile: () => measureHostile(quick ? 3 : 15),
  memory: () => measureMemory(quick ? 5_000 : 100_000),
  growth: () => measureGrowth(quick),
  workshop: async () => [
    ...(await measureWorkshop(quick ? { lessons: 1, seconds: 30 } : { lessons: 10, seconds: 300 })),
    ...(await measureRoomLab(quick ? 5 : 20)),
  ],
}
const wanted = first === undefined ? Object.keys(benches) : part === 'start' ? [first] : positionals
const unknown = wanted.find(each => !Object.hasOwn(benches, each))
if (unknown !== undefined)
  throw new Error(`unknown bench ${unknown}; there are ${Object.keys(benches).join(', ')}`)

console.log(`Node ${process.versions.node}`)
const ratios = []
for (const each of wanted) {
  console.log()
  ratios.push(...(await benches[each]()))
}

console.log()
printTable(
  ['all that there is an aim for', 'ratio', 'aim', ''],
  ratios
    .filter(([, , aim]) => aim !== '')
    .map(([what, ratio, aim]) => [what, ratio, aim, isMet(ratio, aim) ? 'met' : 'missed']),
)

// The other benches only print: their figures depend on the machine.
if (ratios.some(([what, ratio, limit]) => what.startsWith(GUARD) && !isMet(ratio, limit))) {
  console.error(`
A request or a start takes more processor time than it took, and 8 % on top (test/bench/guard.json).
  Find the cause:   node --cpu-prof bin/oauth-lab.js serve
`)
  process.exitCode = 1
}
