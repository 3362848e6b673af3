import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of the young generation, both halves, from which on it grows no further. */
const ENOUGH = 8 * 1024 * 1024

/** Lets it double when much of it outlived a collection, while it has not reached that. */
function limitGrowth(): void {
  const young = getHeapSpaceStatistics().find(space => space.space_name === 'new_space')
  const factor = young !== undefined && young.space_size >= ENOUGH ? 1 : 2
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}

/**
 * From now on keeps the young generation of the heap near eight megabytes. Left to itself V8 lets it grow to some
 * thirty under load, which are not given back and make requests no faster, since hardly anything of them outlives them.
 * While a lab rests V8 takes it back to two; held there, a busy lab spends a tenth of its time on collections. The
 * limit itself can only be given on the command line of `node`, so this looks after each collection.
 */
export function keepYoungGenerationSmall(): void {
  limitGrowth()
  new PerformanceObserver(limitGrowth).observe({ entryTypes: ['gc'] })
}
