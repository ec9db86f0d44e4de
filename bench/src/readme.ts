// `pnpm bench:readme`: the README's figures and the plots, made anew from the results in the repository.
import { publish, published } from "./publish.js";

publish(published());
