// Loaded into a server before usage.js: measures how late its event loop is, in milliseconds.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION = 10
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION })
histogram.enable()

/** The delays since the last call: a timer of 10 ms that is on time has none. */
globalThis.takeLoopDelay = () => {
  const ms = nanoseconds => Math.max(0, nanoseconds / 1e6 - RESOLUTION)
  const taken = {
    p50: ms(histogram.percentile(50)),
    p99: ms(histogram.percentile(99)),
    max: ms(histogram.max),
  }
  histogram.reset()
  return taken
}
