import { isUrl } from '../../protocol/http/address.js'

/** Hosts of this computer. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|.+\.localhost)$/

/** Suffixes below which everybody registers a name, near enough: those of countries, and of well-known hosts of applications. */
const PUBLIC_SUFFIX =
  /(?:^|\.)(?:(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}|(?:azurewebsites|cloudfront)\.net|(?:herokuapp|onrender)\.com|(?:github|ngrok)\.io|(?:netlify|vercel|web|fly|run|ngrok-free)\.app|(?:pages|workers)\.dev)$/

/** The part of a host that cookies can share, near enough: its last labels. An address is a site of its own. */
export function siteOf(host: string): string {
  if (LOOPBACK.test(host)) return 'localhost'
  return /^[\d.]+$|^\[/.test(host)
    ? host
    : host
        .split('.')
        .slice(PUBLIC_SUFFIX.test(host) ? -3 : -2)
        .join('.')
}

/** The site of an address; the address itself where it has none. */
export const siteOfUrl = (url: string): string => (isUrl(url) ? siteOf(new URL(url).hostname) : url)
