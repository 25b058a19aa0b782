// What reads files, for browsers alone: the server reads none.
export { textOfFile } from "../audit/files/file-text";
export { moveIn } from "./move-in";
