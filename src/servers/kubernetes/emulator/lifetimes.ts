/** Seconds by which a mounted token outlives the requested time. */
export const EXTENDED_LIFETIME = 365 * 24 * 60 * 60

/** The default lifetime that the kubelet requests, in seconds. The server recognises a mounted token by it. */
export const MOUNTED_LIFETIME = 3607
