import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** The SDK keeps a key of at most this many characters as it is (0.3.332). */
const KEY_LIMIT = 200;

/**
 * The key under which the SDK files the sessions of a directory: its real path with every character that is
 * not an ASCII letter or digit turned to `-`; a longer one is cut and gets a hash of the whole path.
 *
 * Contract: equal to the `projectKey` the SDK hands to the session store (0.3.332; a test holds it).
 */
export function projectKey(directory: string): string {
  const path = realPath(resolve(directory)).normalize("NFC");
  const key = path.replaceAll(/[^a-zA-Z0-9]/g, "-");
  return key.length <= KEY_LIMIT ? key : `${key.slice(0, KEY_LIMIT)}-${Math.abs(hash(path)).toString(36)}`;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** 32-bit string hash (31 * h + code unit), as the SDK uses for long paths. */
function hash(text: string): number {
  let h = 0;
  for (let i = 0; i < text.length; i += 1) h = ((h << 5) - h + text.charCodeAt(i)) | 0;
  return h;
}
