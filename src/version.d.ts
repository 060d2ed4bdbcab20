/** Put in by the build from package.json. */
declare const WAYMARK_VERSION: string;
