// Loaded into a program by `node --require`: at its end it writes what it used into the file BENCH_USAGE: milliseconds of CPU time, and
// the peak of its resident memory in megabytes.
const { writeFileSync } = require('node:fs')
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const cpu = (userCPUTime + systemCPUTime) / 1000
  writeFileSync(String(process.env.BENCH_USAGE), JSON.stringify({ cpu, memory: maxRSS / 1024 }))
})
