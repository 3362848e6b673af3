/** A count of bytes, as in `1,024 B`. */
export function bytesText(count: number): string {
  return `${Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')} B`
}

/** A time an exchange took, as in `14 ms` or `0.4 ms`. */
export function millisecondsText(ms: number): string {
  if (ms >= 10_000) return `${Math.round(ms / 1000)} s`
  return ms < 10 ? `${Math.round(ms * 10) / 10} ms` : `${Math.round(ms)} ms`
}

/** A length of time in its two largest units, as in `59 min 56 s`. Takes milliseconds. */
export function durationText(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 1) return `${Math.floor(seconds * 10) / 10} s`
  const whole = Math.floor(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
  const days = Math.floor(whole / 86_400)
  return `${days.toLocaleString('en-US')} d ${Math.floor((whole % 86_400) / 3600)} h`
}

/** A moment in UTC: the time alone on the day of `now`, else with its date. */
export function momentText(iso: string, now: number): string {
  const [date = '', time = ''] = iso.split('T')
  const clock = `${time.slice(0, 8)}Z`
  return new Date(now).toISOString().startsWith(`${date}T`) ? clock : `${date} ${clock}`
}
