// A database of designs for reading alone, also while a sweep goes on writing to it: all that is read is of the moment
// in which the file was opened.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"

namespace SQLite {
class Statement;
}

namespace vantage::explore {

class Results {
 public:
  // Throws Error, naming the file and what to do, when it is missing, none of ours, or of another version. So do all
  // members when it cannot be read further.
  explicit Results(const std::filesystem::path& path);
  ~Results();
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  // The names of the columns of a table or a view.
  std::vector<std::string> columns(const std::string& table);

  // The row that a query is at; `column` counts from 0.
  class Row {
   public:
    explicit Row(SQLite::Statement& statement) : statement_(statement) {}
    bool is_null(int column) const;
    int64_t integer(int column) const;
    double number(int column) const;
    std::string_view text(int column) const;  // until the next row
    Json value(int column) const;             // null, a number or a text

   private:
    SQLite::Statement& statement_;
  };
  // Calls `each` with every row of a query, one after another, so that they take no memory; `values` are integers for
  // its question marks.
  void query(const std::string& sql, const std::vector<int64_t>& values, const std::function<void(const Row&)>& each);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

}  // namespace vantage::explore
