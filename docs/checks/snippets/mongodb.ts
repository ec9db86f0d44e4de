import { MongoDBSaver } from "@langgraph-savers/mongodb";
import { MongoClient } from "mongodb";

const client = new MongoClient("mongodb://localhost:27017");
const saver = new MongoDBSaver({ client, dbName: "app" });
