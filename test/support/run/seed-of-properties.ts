// Before each file: properties draw the same examples in every run of `npm test`, and others each night.
import fc from "fast-check";
import { seed } from "./seeds.ts";

fc.configureGlobal({ seed });
