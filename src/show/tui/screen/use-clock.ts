import { useEffect, useState } from 'react'

/** The time in milliseconds. It moves once a second while `ticking`, else it stays the same. */
export function useClock(now: () => number, ticking: boolean): number {
  const [, setTick] = useState(0)
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setTick(tick => tick + 1), 1000)
    return () => clearInterval(timer)
  }, [ticking])
  return now()
}
