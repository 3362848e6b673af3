// Loaded into a server under test by `node --import`: tells its parent what the process has used so far.
process.on('message', () => {
  // Garbage that is not yet collected is no need of the server; `--expose-gc` is only given where memory is measured.
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const delay = globalThis.takeLoopDelay?.()
  process.send?.({ cpu: user + system, rss: process.memoryUsage().rss, delay })
})
// A bench that was interrupted leaves no server behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
